// SPDX-License-Identifier: MIT
#include "core/quant/imatrix/imatrix.h"
#include "tests/gui/convert/bench_test.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/quantize/plan_text.h"
#include "ui/convert/size_edit.h"
#include "ui/plots/series_colors.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/types/type_table_model.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QRadioButton>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>

namespace wb::test {

using ui::convert::PlanModel;
using ui::convert::Wizard;

// That what is planned is what was chosen, and what the page says of it.
class ChoicesTest : public BenchTest {
    Q_OBJECT

private:
    Dtype typeFromTensor(const std::string& tensor) const {
        for (const auto& planned : wizard().plans().plan()->tensors)
            if (wizard().plans().model()->tensors[planned.source].name == tensor) return planned.to;
        return Dtype::Unknown;
    }

    // Opens a plan of COPY, as `wb quantize … COPY --save-plan` writes it.
    void loadCopy() {
        auto request = wizard().choices().request();
        request.mix.copy = true;
        const auto plan = wb::quantize::planQuantize(wizard().plans().model(), request);
        QVERIFY(plan.has_value());
        QFile file(path("copy.plan.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(*wb::quantize::planJson(*plan, request, {})));
        file.close();
        wizard().plans().loadPlan(path("copy.plan.json"));
        QVERIFY(settle());
    }

    // The words that a shell makes of the text.
    static QStringList wordsFromText(const QString& text) {
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("printf '%s\\n' ") + text});
        if (!shell.waitForFinished()) return {};
        return QString::fromUtf8(shell.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    }

    void measureUnder(const QString& size) {
        find<QRadioButton>("bySize")->setChecked(true);
        find<QLineEdit>("size")->setText(size);
        m_bench->click("find");
        QVERIFY(wizard().budget().isMeasuring());
    }

private Q_SLOTS:
    void init() {
        begin();
        QVERIFY(m_bench->open());
    }
    void cleanup() { m_bench.reset(); }

    void aPlanOfCopyIsShownAsOne() {
        loadCopy();
        auto* mix = find<QComboBox>("mix");
        QCOMPARE(mix->currentText(), QStringLiteral("COPY"));
        const QString note = find<QLabel>("mixNote")->text();
        QVERIFY2(note.startsWith(QStringLiteral("Copies every tensor as is")), qPrintable(note));
        QVERIFY2(find<QLabel>("mixFigures")->text().isEmpty(), qPrintable(find<QLabel>("mixFigures")->text()));
        QCOMPARE(m_bench->options(), QStringLiteral("COPY"));
        QCOMPARE(find<QLineEdit>("target")->text(), path("model-f32-COPY.gguf"));
        QVERIFY(wizard().hasChoices());
    }

    void aMixTakesThePlaceOfACopy() {
        loadCopy();
        auto* mix = find<QComboBox>("mix");
        mix->setCurrentText(QStringLiteral("Q6_K"));
        Q_EMIT mix->activated(mix->currentIndex());
        QVERIFY(settle());
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), Dtype::Q6_K);
        QCOMPARE(mix->findText(QStringLiteral("COPY")), -1);
        QCOMPARE(m_bench->options(), QStringLiteral("Q6_K"));
        wizard().choices().undo();
        QVERIFY(settle());
        QCOMPARE(mix->currentText(), QStringLiteral("COPY"));
        wizard().choices().setPure(true);
        QVERIFY(settle());
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), Dtype::Q4_K);
        QCOMPARE(m_bench->options(), QStringLiteral("--pure Q4_K_M"));
    }

#ifdef Q_OS_UNIX
    // Through a real shell and back into a plan by the rules' own matcher.
    void copiedOptionsAreWordsThatMeanTheSamePlan() {
        const std::vector<std::string> names = {
            "blk.0.x'; touch pwned; '.weight", "blk.0.a+b(c).weight", "blk.0.a.b.weight",   "blk.0.aXb.weight", "blk.1.k=v.weight",
            "blk.1.$(id)\n\x1b\t`id`.weight",  "blk.1.Upper.weight",  "blk.1.upper.weight", "blk.1.\xff.weight"};
        QVERIFY(m_bench->open(writeModelWith(path("evil.gguf"), names)));
        for (std::size_t i = 0; i < wizard().plans().model()->tensors.size(); i += 2)
            wizard().choices().setTypes({wizard().plans().model()->tensors[i].name}, i % 4 == 0 ? Dtype::Q8_0 : Dtype::Q6_K);
        QVERIFY(settle());
        const QStringList words = wordsFromText(m_bench->options());
        quant::MixOptions mix;
        for (qsizetype i = 0; i + 1 < words.size(); i += 2) {
            QCOMPARE(words[i], QStringLiteral("--tensor-type"));
            const QStringList rule = words[i + 1].split(u'='); // llama-quantize takes the first, wb the last
            QCOMPARE(rule.size(), 2);
            mix.rules.push_back({rule[0].toStdString(), *dtypeFromName(rule[1].toStdString())});
        }
        QCOMPARE(words.size(), qsizetype{11});
        QCOMPARE(words.last(), QStringLiteral("Q4_K_M"));
        const auto again = wb::quantize::planQuantize(wizard().plans().model(), {.mix = mix});
        QVERIFY(again.has_value());
        for (std::size_t i = 0; i < again->tensors.size(); ++i) {
            const std::string& name = wizard().plans().model()->tensors[again->tensors[i].source].name;
            QVERIFY2(again->tensors[i].to == wizard().plans().plan()->tensors[i].to, name.c_str());
        }
    }
#endif

    void aMatrixServesTensorsThatAreStillCopied() {
        wizard().choices().setMatrix(writeMatrix(path("some.dat")));
        wizard().choices().setMix(quant::FileType::F32); // as it is
        QVERIFY(settle());
        QSignalSpy said(m_bench->tab.get(), &ui::Tab::message);
        find<QLineEdit>("searchTensors")->setText(QStringLiteral("blk.0.ffn_up"));
        auto* type = find<QComboBox>("bulkType");
        type->setCurrentText(QStringLiteral("IQ2_XS"));
        m_bench->click("setShown");
        QVERIFY(settle());
        QVERIFY2(said.isEmpty(), qPrintable(said.value(0).value(0).toString()));
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), Dtype::IQ2_XS);
    }

    void typesThatNeedAMatrixAreMarked() {
        for (const char* box : {"mix", "bulkType"}) {
            auto* types = find<QComboBox>(box);
            const auto tip = [types](const char* type) {
                return types->itemData(types->findText(QLatin1String(type)), Qt::ToolTipRole).toString();
            };
            QVERIFY2(tip("IQ2_XXS").contains(QStringLiteral("importance matrix")), box);
            QVERIFY(!types->itemIcon(types->findText(QStringLiteral("IQ2_XXS"))).isNull());
            QVERIFY2(tip("Q8_0").isEmpty(), box);
        }
    }

    // The second budget would else ask to replace the file of the first.
    void filesOfTwoSizesHaveTwoNames() {
        QSet<QString> names;
        for (const char* size : {"300 KB", "500 KB"}) {
            measureUnder(QString::fromLatin1(size));
            QVERIFY(settle());
            QVERIFY(wizard().plans().hasOwnTypes());
            names << wizard().target();
        }
        QCOMPARE(names.size(), 2);
    }

    // Neither twice a type, nor none for files whose tensors stay as they are.
    void aTypeInTheNameGivesWayToTheNewOne() {
        const QTemporaryDir folder;
        const auto proposed = [&](const char* file, const char* type) {
            Model model;
            model.folder = ui::fsPath(folder.path());
            model.files.emplace_back().name = file;
            return QFileInfo(ui::convert::suggestedTarget(model, QLatin1String(type))).fileName();
        };
        const auto shown = [](const char* text) { return QLatin1String(text); };
        QCOMPARE(proposed("SmolLM2-135M-Instruct.Q4_1.gguf", "Q4_K_M"), shown("SmolLM2-135M-Instruct-Q4_K_M.gguf"));
        QCOMPARE(proposed("Qwen3-0.6B-Q8_0.gguf", "IQ4_XS"), shown("Qwen3-0.6B-IQ4_XS.gguf"));
        QCOMPARE(proposed("model-f16.gguf", "Q8_0"), shown("model-Q8_0.gguf"));
        QCOMPARE(proposed("Llama-3-8B-BF16-00001-of-00002.gguf", "Q6_K"), shown("Llama-3-8B-Q6_K.gguf"));
        QCOMPARE(proposed("Qwen3-0.6B-Q8_0.gguf", "mixed-300KB"), shown("Qwen3-0.6B-mixed-300KB.gguf"));
        QCOMPARE(proposed("Qwen3-0.6B-Q8_0-00001-of-00002.gguf", "joined"), shown("Qwen3-0.6B-Q8_0-joined.gguf"));
        QCOMPARE(proposed("Qwen3-0.6B.gguf", "Q8_0"), shown("Qwen3-0.6B-Q8_0.gguf"));
        QCOMPARE(proposed("Q4_0.gguf", "Q8_0"), shown("Q4_0-Q8_0.gguf"));
        QCOMPARE(proposed("Qwen3-0.6B-Q8_0.gguf", "Q8_0"), shown("Qwen3-0.6B-Q8_0-Q8_0.gguf")); // never the source itself
        QCOMPARE(proposed("model-f16.gguf", "F16"), shown("model-f16-F16.gguf"));
    }

    void theProposedSizeHoldsThePlanItComesFrom() {
        ui::convert::SizeEdit edit;
        for (quint64 bytes = 1; bytes < 5'000'000'000'000; bytes = bytes * 9 / 7 + 1) {
            edit.setBytes(bytes);
            const quint64 shown = edit.bytes().value_or(0);
            QVERIFY2(shown >= bytes && static_cast<double>(shown - bytes) <= static_cast<double>(bytes) / 1000,
                     qPrintable(edit.text()));
        }
        find<QRadioButton>("bySize")->setChecked(true);
        QVERIFY(m_bench->find<ui::convert::SizeEdit>("size")->bytes().value_or(0) >= wizard().plans().plan()->fileBytes());
        m_bench->click("find");
        QVERIFY(settle());
        QCOMPARE(wizard().budget().result().value().stock, QStringLiteral("Q4_K_M"));
    }

    void aMeasurementEndsWithTheGoalItWasFor() {
        measureUnder(QStringLiteral("300 KB"));
        find<QRadioButton>("byMix")->setChecked(true);
        QVERIFY(!wizard().budget().isMeasuring());
        QVERIFY(find<QPushButton>("run")->isEnabled());
        QVERIFY(settle());
        QVERIFY(!wizard().budget().result() && !wizard().plans().hasOwnTypes());
        measureUnder(QStringLiteral("300 KB"));
        find<QRadioButton>("byMemory")->setChecked(true);
        QVERIFY(!wizard().budget().isMeasuring());
    }

    void returnBeginsAnewOnlyForAnotherSize() {
        measureUnder(QStringLiteral("300 KB"));
        QSignalSpy changed(&wizard(), &Wizard::changed);
        QTest::keyClick(find<QLineEdit>("size"), Qt::Key_Return);
        QVERIFY(wizard().budget().isMeasuring() && changed.isEmpty());
        find<QLineEdit>("size")->setText(QStringLiteral("500 KB"));
        QTest::keyClick(find<QLineEdit>("size"), Qt::Key_Return);
        QVERIFY(wizard().budget().isMeasuring());
        QVERIFY(settle());
        QVERIFY(wizard().budget().result() && wizard().plans().plan()->fileBytes() > 300'000);
    }

    void allMixesAreComparedAndTaken() {
        auto* parts = find<QTabBar>("parts");
        const auto* table = find<QTableView>("mixTable");
        QVERIFY2(!wizard().mixes().table() && !wizard().mixes().isMeasuring(), "nothing is measured before it is looked at");
        parts->setCurrentIndex(3);
        QTRY_VERIFY(wizard().mixes().table());
        QVERIFY(table->model()->rowCount() > 30);
        const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
        using Model = ui::TypeTableModel;
        QCOMPARE(cell(0, Model::Type), QStringLiteral("F32"));
        QVERIFY(table->isColumnHidden(Model::Weighted));

        auto* plot = find<QWidget>("mixPlot");
        plot->resize(600, 240);
        const QImage picture = plot->grab().toImage();
        const QColor line = ui::seriesColors()[1];
        int drawn = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) drawn += picture.pixelColor(x, y) == line;
        QVERIFY2(drawn > 100, "the curve of the budget");

        const auto* advice = find<QLabel>("mixAdvice");
        QVERIFY2(advice->text().contains(QStringLiteral("Recommended: ")), qPrintable(advice->text()));
        find<QLineEdit>("mixMemory")->clear();
        QTest::keyClicks(find<QLineEdit>("mixMemory"), QStringLiteral("1 MB"));
        QVERIFY2(advice->text().contains(QStringLiteral("none is recommended")), qPrintable(advice->text()));
        QCOMPARE(wizard().budget().goal().memory, QStringLiteral("1 MB"));
        for (int row = 0; row < table->model()->rowCount(); ++row) QCOMPARE(cell(row, Model::Fit), QStringLiteral("too large"));

        int wanted = 0;
        while (cell(wanted, Model::Type) != QStringLiteral("Q5_K_M")) ++wanted;
        find<QRadioButton>("bySize")->setChecked(true);
        find<QTableView>("mixTable")->selectRow(wanted);
        m_bench->click("takeMix");
        QVERIFY(settle());
        QCOMPARE(wizard().plans().plan()->fileType, quant::FileType::Q5_K_M);
        QVERIFY(find<QRadioButton>("byMix")->isChecked() && find<QPushButton>("run")->isEnabled());
        QCOMPARE(parts->currentIndex(), 1);
        QCOMPARE(cell(wanted, Model::Size), ui::bytesText(wizard().plans().plan()->fileBytes()));
    }

    // The memory that is free on this machine, RAM or a GPU, until another one is entered.
    void theMemoryOfThisMachineIsProposed() {
        TestDevices devices;
        devices.cards = {{.name = "Large", .bytes = 4ull << 40, .margin = 1ull << 30}};
        m_bench->services.devices = &devices;
        m_bench->restart();
        QTRY_COMPARE(wizard().budget().goal().memory, QStringLiteral("4095.0 GiB"));
        QVERIFY(m_bench->open());
        QVERIFY(settle());
        QCOMPARE(find<QLineEdit>("memory")->text(), QStringLiteral("4095.0 GiB"));
        auto goal = wizard().budget().goal();
        goal.memory = QStringLiteral("2 GiB");
        wizard().budget().setGoal(goal);
        wizard().budget().proposeMemory();
        QVERIFY(settle());
        QCOMPARE(wizard().budget().goal().memory, QStringLiteral("2 GiB"));
        m_bench->services.devices = nullptr;
    }

    void comparingMixesCanBeStopped() {
        find<QTabBar>("parts")->setCurrentIndex(3);
        wizard().mixes().clear();
        wizard().mixes().measure(false);
        QVERIFY(wizard().mixes().isMeasuring());
        m_bench->click("measureMixes");
        QVERIFY(!wizard().mixes().isMeasuring() && !wizard().mixes().table());
        find<QRadioButton>("bySize")->setChecked(true); // the page is refreshed
        QVERIFY2(!wizard().mixes().isMeasuring(), "what was stopped does not begin by itself");
        m_bench->click("measureMixes");
        QTRY_VERIFY(wizard().mixes().table());
        QAbstractItemModelTester(find<QTableView>("mixTable")->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }

    void onlyWhatCanBeChosenLooksChosen() {
        measureUnder(QStringLiteral("300 KB"));
        QVERIFY(settle());
        const auto* model = find<QTableView>("planTable")->model();
        const auto isBold = [model](int row) { return model->index(row, PlanModel::To).data(Qt::FontRole).value<QFont>().bold(); };
        QCOMPARE(model->index(0, PlanModel::Name).data().toString(), QStringLiteral("output_norm.weight"));
        QVERIFY(!isBold(0) && isBold(1));
    }
};

WB_GUI_TEST(ChoicesTest)

} // namespace wb::test

#include "choices_test.moc"
