// SPDX-License-Identifier: MIT
#include "tests/gui/convert/held_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "tests/gui/support/answer_when_asked.h"
#include "ui/convert/number_list.h"
#include "ui/convert/weights/weights_model.h"
#include "ui/convert/weights/weights_session.h"
#include "ui/shell/jobs/job_runner.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QPlainTextEdit>
#include <QTableView>

namespace wb::test {

using ui::convert::WeightsGoal;
using ui::convert::WeightsModel;
using ui::convert::WeightsSession;

// Weights as safetensors, as a folder and with adapters merged, from the first choice to the files.
class WeightsTest : public QObject {
    Q_OBJECT

private:
    WeightsSession& weights() const { return m_bench->tab->weights(); }
    QString shared(const char* name) const { return QStringLiteral(WEIGHBRIDGE_SHARED "/%1").arg(QLatin1String(name)); }
    bool settle() const {
        return QTest::qWaitFor([this] { return !weights().isPlanning() && !weights().isRunning() && !weights().isChecking(); });
    }
    bool write(const QString& target) {
        weights().setTarget(target);
        m_bench->click("writeWeights");
        return QTest::qWaitFor([this] { return weights().outcome() || !weights().failure().isEmpty(); });
    }
    QByteArray contentFromFile(const QString& file) const {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    std::unique_ptr<ui::QueuedJobRunner> m_jobs;
    std::unique_ptr<WizardBench> m_bench;

private Q_SLOTS:
    void init() {
        m_jobs = std::make_unique<ui::QueuedJobRunner>();
        m_bench = std::make_unique<WizardBench>(*m_jobs);
    }
    void cleanup() {
        m_bench.reset();
        m_jobs.reset();
    }

    void aGgufFileBecomesItsFolder() {
        WB_NEED_SHARED_QT("arch");
        weights().begin(WeightsGoal::Folder, shared("arch/qwen3/model.gguf"));
        QVERIFY(settle());
        QVERIFY2(weights().plan(), qPrintable(weights().failure()));
        auto* table = m_bench->find<QTableView>("weightsTable");
        QCOMPARE(table->model()->rowCount(), static_cast<int>(weights().plan()->tensors.size()));
        QVERIFY(!weights().members().isEmpty());
        const QString target = m_bench->path("folder");
        QVERIFY(write(target));
        QVERIFY2(weights().outcome(), qPrintable(weights().failure()));
        QCOMPARE(contentFromFile(target + QStringLiteral("/model.safetensors")),
                 contentFromFile(shared("arch/qwen3/hf/model.safetensors")));
        QVERIFY(m_bench->find<QLabel>("weightsSummary")->isVisible());
        m_bench->click("anotherWeights");
        QVERIFY(!weights().isOpen());
    }

    void codeInAModelIsAskedAboutBeforeItIsUsed() {
        WB_NEED_SHARED_QT("corpus/picklescan/data/malicious1_v4.pkl");
        const QString file = shared("corpus/picklescan/data/malicious1_v4.pkl");
        AnswerWhenAsked no(QMessageBox::RejectRole);
        QVERIFY(m_bench->tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return no.wasAsked(); }));
        QVERIFY2(no.question().contains(QStringLiteral("dangerous code")), qPrintable(no.question()));
        QVERIFY(no.question().contains(QStringLiteral("eval")));
        QVERIFY(!weights().isOpen());
        AnswerWhenAsked yes(QMessageBox::DestructiveRole);
        QVERIFY(m_bench->tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return yes.wasAsked(); }));
        QVERIFY(QTest::qWaitFor([this] { return weights().isOpen(); }));
        QVERIFY(settle());
    }

    // A GGUF file holds no code but a template, which other programs run.
    void aTemplateThatReachesForCodeIsAskedAbout() {
        const QTemporaryDir folder;
        const QString file = writeModelWithTemplate(folder.path(), "{{ ''.__class__.__mro__ }}");
        QVERIFY(m_bench->open());
        const auto* before = m_bench->wizard().plans().model().get();
        AnswerWhenAsked no(QMessageBox::RejectRole);
        QVERIFY(m_bench->tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return no.wasAsked(); }));
        QVERIFY2(no.question().contains(QStringLiteral("chat template")), qPrintable(no.question()));
        QVERIFY2(no.question().contains(QStringLiteral("template.gguf")), qPrintable(no.question()));
        QVERIFY(QTest::qWaitFor([] { return !QApplication::activeModalWidget(); }));
        QCOMPARE(m_bench->wizard().plans().model().get(), before);
        QVERIFY(!m_bench->wizard().plans().isForModel(file));
        AnswerWhenAsked yes(QMessageBox::DestructiveRole);
        QVERIFY(m_bench->tab->openPaths({file}));
        QVERIFY(QTest::qWaitFor([&] { return yes.wasAsked(); }));
        QVERIFY(QTest::qWaitFor([&] { return m_bench->wizard().plans().isForModel(file) && m_bench->wizard().plans().plan(); }));
        const QString harmless = writeModelWithTemplate(folder.path(), "{% for m in messages %}{{ m['content'] }}{% endfor %}");
        AnswerWhenAsked never(QMessageBox::RejectRole);
        QVERIFY(m_bench->open(harmless));
        QVERIFY(!never.wasAsked());
    }

    // So is the configuration of a folder that wants code of its own to run.
    void aFolderWithCodeOfItsOwnIsAskedAbout() {
        WB_NEED_SHARED_QT("arch/llama/hf/model.safetensors");
        const QTemporaryDir folder;
        for (const char* name : {"model.safetensors", "tokenizer.json", "tokenizer_config.json"})
            QFile::copy(shared("arch/llama/hf/") + QLatin1String(name), folder.filePath(QLatin1String(name)));
        QFile config(folder.filePath(QStringLiteral("config.json")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(R"({"architectures": ["LlamaForCausalLM"], "auto_map": {"AutoModel": "modeling.Model"}})");
        config.close();
        AnswerWhenAsked no(QMessageBox::RejectRole);
        QVERIFY(m_bench->tab->openPaths({folder.path()}));
        QVERIFY(QTest::qWaitFor([&] { return no.wasAsked(); }));
        QVERIFY2(no.question().contains(QStringLiteral("modeling.Model")), qPrintable(no.question()));
        QVERIFY(!weights().isOpen());
    }

    void noWeightsAreUsedWhoseScanWasCanceled() {
        WB_NEED_SHARED_QT("corpus/picklescan/data/malicious1_v4.pkl");
        HeldJobs held;
        WizardBench bench(held);
        held.isHolding = true;
        AnswerWhenAsked yes(QMessageBox::DestructiveRole);
        QVERIFY(bench.tab->openPaths({shared("corpus/picklescan/data/malicious1_v4.pkl")}));
        QVERIFY(held.handle); // on the Jobs page, where the user cancels it
        held.handle->cancel();
        held.release();
        QVERIFY(QTest::qWaitFor([&] { return held.handle->isFinished(); }));
        QCoreApplication::processEvents();
        QVERIFY(!yes.wasAsked());
        QVERIFY(!bench.tab->weights().isOpen());
    }

    void onlyTheNewestModelIsAskedAbout() {
        WB_NEED_SHARED_QT("corpus/picklescan/data/malicious1_v4.pkl");
        HeldJobs held;
        WizardBench bench(held);
        held.isHolding = true;
        AnswerWhenAsked yes(QMessageBox::DestructiveRole);
        QVERIFY(bench.tab->openPaths({shared("corpus/picklescan/data/malicious1_v4.pkl")}));
        held.isHolding = false;
        QVERIFY(bench.tab->openPaths({shared("arch/llama/hf/model.safetensors")}));
        QVERIFY(bench.tab->weights().isOpen());
        held.release();
        QVERIFY(QTest::qWaitFor([&] { return held.handle->isFinished() && !bench.tab->weights().isPlanning(); }));
        QVERIFY(!yes.wasAsked());
    }

    void typesAndShardsAreChosen() {
        WB_NEED_SHARED_QT("arch");
        QVERIFY(m_bench->tab->openPaths({shared("arch/llama/hf/model.safetensors")}));
        QVERIFY(settle());
        QVERIFY2(weights().plan(), qPrintable(weights().failure()));
        auto* type = m_bench->find<QComboBox>("weightsType");
        type->setCurrentIndex(type->findText(QStringLiteral("F32")));
        emit type->activated(type->currentIndex());
        QVERIFY(settle());
        QVERIFY(weights().plan() && weights().plan()->tensors[0].to == Dtype::F32);
        WeightsModel model;
        const QAbstractItemModelTester tester(&model);
        model.setPlan(weights().plan());
        QCOMPARE(model.index(0, WeightsModel::To).data().toString(), QStringLiteral("F32"));
        model.setPlan(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void anAdapterIsMerged() {
        WB_NEED_SHARED_QT("fixtures/torch/peft");
        weights().begin(WeightsGoal::Merge, shared("fixtures/torch/peft/base_llama"));
        QVERIFY(settle());
        QVERIFY(!m_bench->find<QPushButton>("writeWeights")->isEnabled());
        auto choices = weights().choices();
        choices.file.adapters.push_back({shared("fixtures/torch/peft/lora").toStdString(), 1});
        weights().choose(choices);
        QVERIFY(settle());
        QVERIFY2(weights().plan(), qPrintable(weights().failure()));
        QVERIFY(write(m_bench->path("merged")));
        QVERIFY2(weights().outcome(), qPrintable(weights().failure()));
        QVERIFY(QFile::exists(m_bench->path("merged") + QStringLiteral("/config.json")));
        choices.file.adapters[0].path = shared("fixtures/torch/peft/dora_gpt2").toStdString();
        weights().close();
        weights().choose(choices);
        QVERIFY(settle());
        QVERIFY2(weights().failure().contains(QStringLiteral("another model")), qPrintable(weights().failure()));
    }

    void modelsAreMerged() {
        WB_NEED_SHARED_QT("arch");
        const QString model = shared("arch/llama/hf");
        weights().begin(WeightsGoal::MergeModels, model);
        QVERIFY(settle());
        auto* run = m_bench->find<QPushButton>("writeWeights");
        auto* figures = m_bench->find<QLabel>("weightsFigures");
        QVERIFY(!run->isEnabled());
        QVERIFY(figures->text().startsWith(QStringLiteral("Add a model")));
        auto* list = qobject_cast<ui::convert::NumberList*>(m_bench->find<QPushButton>("addModel")->parentWidget()->parentWidget());
        QVERIFY(list);
        const QString other = m_bench->path("other"); // another name: a recipe tells its models from its base by their paths
        QVERIFY(QFile::link(model, other));
        emit list->entriesWanted({{other.toStdString(), 0.5}});
        QVERIFY(settle());
        QVERIFY2(weights().plan() && run->isEnabled(), qPrintable(weights().failure()));
        QVERIFY(m_bench->find<QDoubleSpinBox>("mergeBaseWeight")->isVisible());
        auto* method = m_bench->find<QComboBox>("mergeMethod");
        method->setCurrentIndex(method->findData(static_cast<int>(merge::MergeMethod::Slerp)));
        emit method->activated(method->currentIndex());
        QVERIFY(settle());
        QVERIFY(!m_bench->find<QDoubleSpinBox>("mergeBaseWeight")->isVisible());
        m_bench->find<QDoubleSpinBox>("mergeT")->setValue(0.25);
        auto* rules = m_bench->find<QPlainTextEdit>("mergeRules");
        rules->setPlainText(QStringLiteral("norm:t=1"));
        QVERIFY(settle());
        const auto& settings = weights().choices().file.merge.settings;
        QCOMPARE(settings.t, 0.25);
        QCOMPARE(settings.rules.size(), std::size_t{1});
        rules->setPlainText(QStringLiteral("norm:height=1"));
        QVERIFY(settle());
        QVERIFY(figures->text().contains(QStringLiteral("norm:height=1")) && !run->isEnabled());
        rules->setPlainText(QStringLiteral("norm:t=1"));
        QVERIFY(settle());
        const QString text = weights().planText();
        QVERIFY(write(m_bench->path("merged")));
        QVERIFY2(weights().outcome(), qPrintable(weights().failure()));
        QVERIFY(QFile::exists(m_bench->path("merged") + QStringLiteral("/config.json")));
        const auto again = ui::convert::readChoices(model, text, QStringLiteral("plan.json"));
        QVERIFY(again && again->goal == WeightsGoal::MergeModels && again->file == weights().choices().file);
        weights().backToPlan();
        rules->setPlainText(QString());
        QVERIFY(settle());
        const QString recipe = m_bench->path("recipe.yml");
        weights().saveRecipe(recipe);
        QTRY_VERIFY(contentFromFile(recipe).contains("merge_method: slerp"));
        weights().choose(ui::convert::usualChoices(WeightsGoal::MergeModels, model));
        weights().loadRecipe(recipe);
        QTRY_VERIFY2(weights().choices().file.merge.settings.t == 0.25, qPrintable(weights().failure() + contentFromFile(recipe)));
        QVERIFY(settle());
        QCOMPARE(QFileInfo(weights().choices().source).canonicalFilePath(), QFileInfo(model).canonicalFilePath());
        emit list->entriesWanted({});
        QVERIFY(settle());
        QVERIFY(!run->isEnabled());
        weights().undo();
        QVERIFY(settle());
        QCOMPARE(weights().choices().file.merge.models.size(), std::size_t{1});
    }

    void theGoalsAreOffered() {
        for (const char* const name :
             {"chooseModel", "chooseFolder", "goalSafetensors", "goalFolder", "goalMerge", "goalMergeModels"}) {
            auto* button = m_bench->find<QPushButton>(name);
            QVERIFY(button->isVisible());
            QVERIFY(!button->toolTip().isEmpty());
        }
    }
};

WB_GUI_TEST(WeightsTest)

} // namespace wb::test

#include "weights_test.moc"
