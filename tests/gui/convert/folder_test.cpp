// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/model/tensor_reader.h"
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/adapter_list.h"
#include "ui/convert/folder/folder_panel.h"
#include "ui/convert/folder/pairs_model.h"
#include "ui/convert/plan_model.h"
#include "ui/widgets/types/type_table_model.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QtEndian>

namespace wb::test {

using ui::TypeTableModel;
using ui::convert::PairsModel;
using ui::convert::PlanModel;
using ui::convert::Wizard;

// A Hugging Face folder on its way through the wizard.
class FolderTest : public QObject {
    Q_OBJECT

private:
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    QString shared(const char* name) const { return QStringLiteral(WEIGHBRIDGE_SHARED "/arch/%1").arg(QLatin1String(name)); }
    // A folder of its own, whose file of that name has `from` replaced.
    QString copied(const char* model, const char* file = nullptr, const char* from = "", const char* to = "") {
        const QDir source(shared(model) + QStringLiteral("/hf"));
        if (!QDir().mkpath(path("hf"))) return {};
        for (const QString& name : source.entryList(QDir::Files)) {
            QFile read(source.filePath(name)), written(path("hf/") + name);
            if (!read.open(QIODevice::ReadOnly) || !written.open(QIODevice::WriteOnly)) return {};
            QByteArray content = read.readAll();
            if (name == QLatin1String(file)) content.replace(from, to);
            written.write(content);
        }
        return path("hf");
    }
    QByteArray contentFromFile(const QString& file) const {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    // A LoRA adapter of rank 2 for one matrix of the copied folder of "llama".
    QString adapter() {
        const QString name = QStringLiteral("base_model.model.model.layers.0.self_attn.q_proj.lora_%1.weight");
        const auto entry = [](QJsonArray shape, int begin) {
            return QJsonObject{{QStringLiteral("dtype"), QStringLiteral("F32")},
                               {QStringLiteral("shape"), std::move(shape)},
                               {QStringLiteral("data_offsets"), QJsonArray{begin, begin + 512}}};
        };
        const QByteArray header =
            QJsonDocument({{name.arg(QLatin1Char('A')), entry({2, 64}, 0)}, {name.arg(QLatin1Char('B')), entry({64, 2}, 512)}})
                .toJson(QJsonDocument::Compact);
        const auto length = qToLittleEndian<quint64>(static_cast<quint64>(header.size()));
        QByteArray weights(reinterpret_cast<const char*>(&length), sizeof length);
        weights += header;
        for (int i = 0; i < 256; ++i) {
            const float value = 0.01F * static_cast<float>(i % 17 - 8);
            weights.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        QFile file(path("adapter/adapter_model.safetensors")), config(path("adapter/adapter_config.json"));
        if (!QDir().mkpath(path("adapter")) || !file.open(QIODevice::WriteOnly) || !config.open(QIODevice::WriteOnly)) return {};
        file.write(weights);
        config.write(R"({"peft_type": "LORA", "r": 2, "lora_alpha": 4, "target_modules": ["q_proj"]})");
        return path("adapter");
    }
    // The bytes of a tensor of a GGUF file; empty where it cannot be opened.
    std::vector<std::byte> tensorFromFile(const QString& file, std::string_view name) const {
        const auto model = formats::open(ui::fsPath(file), {});
        if (!model) return {};
        const auto tensor = std::ranges::find((*model)->tensors, name, &TensorInfo::name);
        if (tensor == (*model)->tensors.end()) return {};
        const auto reader = TensorReader::open(**model, *tensor);
        std::vector<std::byte> bytes(tensor->bytes());
        return reader && reader->readRaw(0, reader->elements(), bytes) ? bytes : std::vector<std::byte>();
    }
    bool run(const QString& target) {
        m_bench->wizard().setTarget(target);
        wizard().run(target, false);
        return m_bench->waitFor(Wizard::Step::Result);
    }
    QString cell(const QAbstractItemModel& model, int row, int column) const { return model.index(row, column).data().toString(); }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs.stopAfter = -1;
        m_jobs.never = QStringLiteral("Estimating speed");
        m_bench = std::make_unique<WizardBench>(m_jobs);
    }
    void cleanup() { m_bench.reset(); }

    void aDroppedFolderBecomesTheReferencesFile() {
        WB_NEED_SHARED_QT("arch");
        const QString folder = copied("llama");
        QVERIFY(m_bench->tab->takeDrop({folder}));
        QTRY_VERIFY(wizard().plans().plan());
        QCOMPARE(wizard().choices().request().mix.fileType, quant::FileType::BF16);
        QVERIFY(!wizard().hasChoices());
        QCOMPARE(m_bench->find<QPushButton>("run")->text(), QStringLiteral("Convert"));
        QCOMPARE(m_bench->find<QLineEdit>("target")->text(), path("hf-BF16.gguf"));
        QVERIFY(run(path("out.gguf")));
        QCOMPARE(contentFromFile(path("out.gguf")), contentFromFile(shared("llama/model.gguf")));
        QVERIFY(!m_bench->find<QTableView>("errorTable")->isVisible());
        QSignalSpy handedOver(m_bench->tab.get(), &ui::Tab::handOverWanted);
        m_bench->click("inspect");
        QCOMPARE(handedOver.size(), 1);
        QCOMPARE(handedOver[0][1].toStringList(), QStringList{path("out.gguf")});
    }

    void thePlanSaysWhereEverythingComesFrom() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("mixtral")));
        QVERIFY(wizard().plans().plan());
        PlanModel plan;
        const QAbstractItemModelTester planTester(&plan, QAbstractItemModelTester::FailureReportingMode::QtTest);
        plan.setPlan(wizard().plans().plan(), {}, wizard().plans().conversion());
        bool hasStack = false;
        for (int row = 0; row < plan.rowCount(); ++row) {
            if (cell(plan, row, PlanModel::Name) != QStringLiteral("blk.0.ffn_gate_exps.weight")) continue;
            hasStack = true;
            QCOMPARE(cell(plan, row, PlanModel::SourceColumn),
                     QStringLiteral("model.layers.0.block_sparse_moe.experts.0.w1.weight and 3 more"));
            QCOMPARE(cell(plan, row, PlanModel::TransformColumn), QStringLiteral("experts stacked"));
            QCOMPARE(cell(plan, row, PlanModel::From), QStringLiteral("BF16"));
        }
        QVERIFY(hasStack);
        PairsModel pairs;
        const QAbstractItemModelTester pairsTester(&pairs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        pairs.setPlan(wizard().plans().conversion(), wizard().plans().plan()->model);
        QCOMPARE(cell(pairs, 0, PairsModel::Key), QStringLiteral("general.architecture"));
        QCOMPARE(cell(pairs, 0, PairsModel::Value), QStringLiteral("llama"));
        QCOMPARE(cell(pairs, 0, PairsModel::OriginColumn), QStringLiteral("config.json"));
        auto* parts = m_bench->find<QTabBar>("parts");
        QVERIFY(parts->isVisible() && !parts->isTabVisible(0));
        for (const int tab : {1, 2, 3}) QVERIFY(parts->tabRect(tab).width() > 20); // each is laid out
        parts->setCurrentIndex(2);
        QVERIFY(m_bench->find<QTableView>("pairsTable")->isVisible() && !m_bench->find<QTableView>("planTable")->isVisible());
    }

    void anyMixIsWrittenInOnePass() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("qwen3-k256")));
        wizard().choices().setMix(quant::FileType::Q4_K_M);
        QVERIFY(m_bench->settle());
        QCOMPARE(m_bench->find<QPushButton>("run")->text(), QStringLiteral("Quantize"));
        QVERIFY(run(path("one.gguf")));
        QVERIFY(m_bench->find<QTableView>("errorTable")->isVisible());
        m_bench->click("another");
        QVERIFY(m_bench->open(shared("qwen3-k256/model.gguf")));
        wizard().choices().setMix(quant::FileType::Q4_K_M);
        QVERIFY(m_bench->settle());
        QVERIFY(run(path("two.gguf")));
        QCOMPARE(contentFromFile(path("one.gguf")), contentFromFile(path("two.gguf")));
    }

    void allMixesAreComparedBeforeItIsConverted() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("qwen3-k256")));
        m_bench->find<QTabBar>("parts")->setCurrentIndex(3);
        QTRY_VERIFY(wizard().mixes().table());
        auto* table = m_bench->find<QTableView>("mixTable");
        QVERIFY(table->isVisible());
        int wanted = 0;
        while (cell(*table->model(), wanted, TypeTableModel::Type) != QStringLiteral("Q5_K_M")) ++wanted;
        const QString size = cell(*table->model(), wanted, TypeTableModel::Size);
        table->selectRow(wanted);
        m_bench->click("takeMix");
        QVERIFY(m_bench->settle());
        QVERIFY(!wizard().plans().plain());
        QCOMPARE(wizard().plans().plan()->fileType, quant::FileType::Q5_K_M);
        QCOMPARE(size, ui::bytesText(wizard().plans().plan()->fileBytes()));
    }

    // As wb quantize --compare does: 8,192 tokens, or the model's where it has less. A number that was entered stays.
    void theContextBeginsWithThatOfTheModel() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("llama")));
        auto* context = m_bench->find<QSpinBox>("context");
        QCOMPARE(context->value(), 512);
        context->setValue(300);
        QVERIFY(m_bench->open(shared("qwen3-k256/model.gguf")));
        QCOMPARE(m_bench->find<QSpinBox>("context")->value(), 300);
        QCOMPARE(wizard().budget().goal().context, 300);
    }

    void anUnknownSplittingRuleIsAskedFor() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("qwen2", "tokenizer.json", "\\\\p{N}|", "\\\\p{N}{1,7}|")));
        QVERIFY2(m_bench->failure().contains(QStringLiteral("pre-tokenizer of tokenizer.json is unknown")),
                 qPrintable(m_bench->failure()));
        QVERIFY(!m_bench->find<QPushButton>("run")->isEnabled());
        auto* box = m_bench->find<QComboBox>("preTokenizer");
        QVERIFY(box->isVisible());
        box->setCurrentIndex(box->findData(QStringLiteral("qwen2")));
        Q_EMIT box->activated(box->currentIndex());
        QVERIFY(m_bench->settle());
        QVERIFY2(wizard().plans().plan(), qPrintable(m_bench->failure()));
        QCOMPARE(wizard().choices().request().mix.fileType, quant::FileType::BF16);
        wizard().choices().undo();
        QVERIFY(m_bench->settle());
        QVERIFY(!m_bench->find<QPushButton>("run")->isEnabled());
    }

    void aNameIsWrittenAndKept() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("llama")));
        wizard().choices().setModelName(QStringLiteral("Hf"));
        QVERIFY(m_bench->settle());
        const QJsonObject session = m_bench->tab->saveSession();
        m_bench->restart();
        m_bench->tab->restoreSession(session);
        QTRY_VERIFY(wizard().plans().plan() && !wizard().plans().isPlanning());
        QCOMPARE(wizard().choices().folder().modelName, std::string("Hf"));
        QVERIFY(wizard().plans().plain());
        QVERIFY(run(path("out.gguf")));
        QCOMPARE(contentFromFile(path("out.gguf")), contentFromFile(shared("llama/model.gguf")));
    }

    void aPairIsSetByHand() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("llama")));
        auto* table = m_bench->find<QTableView>("pairsTable");
        const auto value = [&](const char* key) {
            const QAbstractItemModel& model = *table->model();
            for (int row = 0; row < model.rowCount(); ++row)
                if (cell(model, row, PairsModel::Key) == QLatin1String(key)) return model.index(row, PairsModel::Value);
            return QModelIndex();
        };
        QVERIFY(table->model()->setData(value("llama.context_length"), QStringLiteral("1024")));
        QVERIFY(m_bench->settle());
        QVERIFY2(wizard().plans().plan(), qPrintable(m_bench->failure()));
        QCOMPARE(value("llama.context_length").data().toString(), QStringLiteral("1024"));
        QCOMPARE(value("llama.context_length").siblingAtColumn(PairsModel::OriginColumn).data().toString(),
                 QStringLiteral("set by you"));
        QVERIFY2(m_bench->options().contains(QStringLiteral("llama.context_length=int:1024")), qPrintable(m_bench->options()));
        table->model()->setData(value("llama.context_length"), QStringLiteral("many"));
        QCOMPARE(wizard().choices().request().overrides.size(), std::size_t{1});
        QVERIFY(!(table->model()->flags(value("tokenizer.ggml.tokens")) & Qt::ItemIsEditable));
        QVERIFY(run(path("out.gguf")));
        wizard().backToPlan();
        wizard().choices().undo();
        QVERIFY(m_bench->settle());
        QVERIFY(wizard().choices().request().overrides.empty() && wizard().plans().plain());
    }

    void anotherTemplateIsKeptWithThePlan() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("llama")));
        wizard().choices().setChatTemplate(QStringLiteral("{{ messages }}"));
        QVERIFY(m_bench->settle());
        const QJsonObject session = m_bench->tab->saveSession();
        m_bench->restart();
        m_bench->tab->restoreSession(session);
        QTRY_VERIFY(wizard().plans().plan() && !wizard().plans().isPlanning());
        QCOMPARE(wizard().choices().folder().chatTemplate, std::string("{{ messages }}"));
        const auto* written = wizard().plans().plan()->model->metadata.find("tokenizer.chat_template");
        QVERIFY(written && written->string() && *written->string() == "{{ messages }}");
        wizard().choices().setAdapters({{path("nowhere").toStdString(), 1}});
        QVERIFY(m_bench->settle());
        QVERIFY2(m_bench->failure().contains(QStringLiteral("nowhere")), qPrintable(m_bench->failure()));
    }

    void aMergedAdapterBecomesAGgufFile() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("llama")));
        auto* panel = m_bench->tab->findChild<ui::convert::FolderPanel*>();
        emit panel->findChild<ui::convert::AdapterList*>()->entriesWanted({{adapter().toStdString(), 1}});
        QVERIFY(m_bench->settle());
        QVERIFY2(wizard().plans().plan(), qPrintable(m_bench->failure()));
        QVERIFY(run(path("merged.gguf")));
        const QString before = shared("llama/model.gguf"), after = path("merged.gguf");
        QVERIFY(!tensorFromFile(after, "blk.0.attn_q.weight").empty());
        QVERIFY(tensorFromFile(before, "blk.0.attn_q.weight") != tensorFromFile(after, "blk.0.attn_q.weight"));
        QVERIFY(tensorFromFile(before, "blk.0.attn_k.weight") == tensorFromFile(after, "blk.0.attn_k.weight"));
        QSignalSpy handedOver(m_bench->tab.get(), &ui::Tab::handOverWanted);
        m_bench->click("inspect");
        QCOMPARE(handedOver.value(0).value(1).toStringList(), QStringList{after});
        const auto opened = formats::open(ui::fsPath(after), {.strictness = formats::Strictness::Strict});
        QVERIFY(opened && (*opened)->problems.empty());
    }

    void anAdapterBecomesAGgufFileOfItsOwn() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(adapter()));
        QVERIFY2(m_bench->failure().contains(QStringLiteral("is an adapter")), qPrintable(m_bench->failure()));
        QVERIFY(!m_bench->find<QPushButton>("run")->isEnabled());
        QVERIFY(m_bench->find<QPushButton>("adapterBase")->isVisible());
        QVERIFY(!m_bench->find<QComboBox>("preTokenizer")->isVisible() && !m_bench->find<QComboBox>("mix")->isVisible());
        wizard().choices().setBase(copied("llama"));
        QVERIFY(m_bench->settle());
        QVERIFY2(wizard().plans().plain(), qPrintable(m_bench->failure()));
        QCOMPARE(m_bench->find<QLineEdit>("target")->text(), path("adapter-F32.gguf"));
        QVERIFY(!m_bench->find<QLabel>("outputSize")->text().contains(QStringLiteral("larger"))); // nobody wanted it smaller
        wizard().choices().setMix(quant::FileType::Q4_0);
        QVERIFY(m_bench->settle());
        QVERIFY(!m_bench->failure().isEmpty() && !m_bench->find<QPushButton>("run")->isEnabled());
        wizard().choices().undo();
        QVERIFY(m_bench->settle());
        const QJsonObject session = m_bench->tab->saveSession();
        m_bench->restart();
        m_bench->tab->restoreSession(session);
        QTRY_VERIFY(wizard().plans().plan() && !wizard().plans().isPlanning());
        QVERIFY2(run(path("adapter.gguf")), qPrintable(m_bench->failure()));
        QVERIFY(!m_bench->find<QLineEdit>("ollamaCommand")->isVisible());
        const auto opened = formats::open(ui::fsPath(path("adapter.gguf")), {.strictness = formats::Strictness::Strict});
        QVERIFY(opened);
        QCOMPARE((*opened)->tensors.size(), std::size_t{2});
        QCOMPARE((*opened)->tensors[0].name, std::string("blk.0.attn_q.weight.lora_a"));
        QCOMPARE(tensorFromFile(path("adapter.gguf"), "blk.0.attn_q.weight.lora_a").size(), std::size_t{512});
    }

    void aCanceledConversionGoesOnAfterARestart() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("qwen3-k256")));
        QVERIFY(QDir().mkpath(path("out")));
        m_jobs.stopAfter = 3;
        wizard().run(path("out/new.gguf"), false);
        QVERIFY(m_bench->waitFor(Wizard::Step::Plan));
        QVERIFY(!QFile::exists(path("out/new.gguf")) && QFile::exists(path("out/new.gguf.part")));
        m_jobs.stopAfter = -1;
        m_bench->restart();
        m_bench->resumeJob("new.gguf");
        QVERIFY(m_bench->waitFor(Wizard::Step::Result));
        QVERIFY(wizard().runs().outcome()->resumedItems > 0);
        QCOMPARE(contentFromFile(path("out/new.gguf")), contentFromFile(shared("qwen3-k256/model.gguf")));
    }

    void whatCannotBeConvertedIsRefusedByName() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->open(copied("llama", "config.json", "LlamaForCausalLM", "T5ForConditionalGeneration")));
        QVERIFY2(m_bench->failure().contains(QStringLiteral("T5ForConditionalGeneration")), qPrintable(m_bench->failure()));
        QVERIFY(!m_bench->find<QPushButton>("run")->isEnabled());
    }
};

WB_GUI_TEST(FolderTest)

} // namespace wb::test

#include "folder_test.moc"
