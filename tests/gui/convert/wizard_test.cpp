// SPDX-License-Identifier: MIT
#include "tests/gui/convert/inline_jobs.h"
#include "tests/gui/convert/wizard_bench.h"
#include "ui/convert/error_chart.h"
#include "ui/convert/plan_model.h"
#include "ui/convert/quality.h"
#include "ui/convert/size_edit.h"
#include "ui/convert/type_box.h"
#include "ui/convert/unfinished.h"
#include "ui/shell/settings/language.h"
#include "ui/widgets/numbers.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QRadioButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QTableView>
#include <QUrl>

#include <cmath>

namespace wb::test {

using ui::convert::ErrorChart;
using ui::convert::ErrorModel;
using ui::convert::PlanModel;
using ui::convert::TypeBox;
using ui::convert::Wizard;
using wb::quant::publishedQuality;

class WizardTest : public QObject {
    Q_OBJECT

private:
    template <typename Widget>
    Widget* find(const char* name) const {
        return m_bench->find<Widget>(name);
    }
    // The row of the model behind the table's current one.
    static int proxyRow(const QTableView* table) {
        return static_cast<const QSortFilterProxyModel*>(table->model())->mapToSource(table->currentIndex()).row();
    }
    void click(const char* name) const { m_bench->click(name); }
    Wizard& wizard() const { return m_bench->wizard(); }
    QString path(const char* name) const { return m_bench->path(name); }
    QString typeFromTensor(const char* tensor) const {
        const auto* model = find<QTableView>("planTable")->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, PlanModel::Name).data().toString() == QLatin1String(tensor))
                return model->index(row, PlanModel::To).data().toString();
        return {};
    }
    void openModel() { QVERIFY(m_bench->open()); }
    QModelIndex editable(const char* tensor) const {
        const auto* model = find<QTableView>("planTable")->model();
        int row = 0;
        while (model->index(row, PlanModel::Name).data().toString() != QLatin1String(tensor)) ++row;
        return model->index(row, PlanModel::To);
    }
    QModelIndex editTypeFromTensor(const char* tensor) const {
        auto* table = find<QTableView>("planTable");
        table->setCurrentIndex(editable(tensor));
        table->edit(table->currentIndex());
        return table->currentIndex();
    }

    InlineJobs m_jobs;
    std::unique_ptr<WizardBench> m_bench;
    QUrl m_url;

public:
    Q_INVOKABLE void takeUrl(const QUrl& url) { m_url = url; }

private Q_SLOTS:
    void init() {
        m_jobs.stopAfter = -1;
        m_bench = std::make_unique<WizardBench>(m_jobs);
    }
    void cleanup() { m_bench.reset(); }

    void fromModelToResult() {
        openModel();
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q4_K"));
        QCOMPARE(typeFromTensor("output_norm.weight"), QStringLiteral("F32"));
        QTRY_VERIFY(find<QLabel>("time")->text().startsWith(QStringLiteral("about")));
        QCOMPARE(find<QLineEdit>("target")->text(), path("model-Q4_K_M.gguf"));
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QVERIFY(QFile::exists(path("model-Q4_K_M.gguf")));
        const auto* errors = find<QTableView>("errorTable")->model();
        QCOMPARE(errors->rowCount(), 8);
        QVERIFY(errors->index(0, ErrorModel::Relative).data(ui::convert::SortRole).toDouble() >=
                errors->index(1, ErrorModel::Relative).data(ui::convert::SortRole).toDouble());
        QVERIFY(ui::convert::unfinishedRuns(m_bench->services.stateFolder).empty());
        QSignalSpy handed(m_bench->tab.get(), &ui::Tab::handOverWanted);
        click("inspect");
        QCOMPARE(handed.size(), 1);
        QCOMPARE(handed[0][0].toString(), QStringLiteral("inspect"));
        QCOMPARE(handed[0][1].toStringList(), QStringList{path("model-Q4_K_M.gguf")});
    }

    void theSizeOfTheModelIsThatOfItsFile() {
        openModel();
        const QString size = ui::fileSizeText(static_cast<quint64>(QFileInfo(path("model-f32.gguf")).size()));
        QVERIFY2(find<QLabel>("outputSize")->text().contains(QStringLiteral("was %1)").arg(size)),
                 qPrintable(find<QLabel>("outputSize")->text()));
    }

    // Beside "Best quality that fits in memory" it would read as what the model needs to run.
    void theMemoryIsCalledThatForQuantizing() {
        openModel();
        QVERIFY(find<QLabel>("peakMemory")->accessibleDescription().contains(QStringLiteral("to quantize")));
        QVERIFY(!find<QLabel>("peakMemory")->text().isEmpty());
    }

    void theResultIsShownInItsFolder() {
        openModel();
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "takeUrl");
        click("showFolder");
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(m_url.toLocalFile(), QFileInfo(path("model-Q4_K_M.gguf")).path());
        QSignalSpy said(m_bench->tab.get(), &ui::Tab::message);
        click("showFolder"); // which nothing takes in a test
        QCOMPARE(said.size(), 1);
        QVERIFY2(said[0][0].toString().contains(QStringLiteral("the file is in")), qPrintable(said[0][0].toString()));
    }

    void theResultKeepsItsPlace() {
        openModel();
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        auto* table = find<QTableView>("errorTable");
        table->sortByColumn(ErrorModel::Name, Qt::AscendingOrder);
        table->selectRow(3);
        Q_EMIT wizard().changed(); // as when the speed is measured
        QCOMPARE(table->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table->currentIndex().row(), 3);
        QCOMPARE(table->horizontalHeader()->sortIndicatorSection(), int{ErrorModel::Name});
    }

    void theRunSaysTheSpeedOfItsJob() {
        m_jobs.speed = 2048;
        openModel();
        QStringList said;
        connect(&wizard().runs(), &ui::convert::RunSession::progressed, this, [&] { said << find<QLabel>("figures")->text(); });
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QVERIFY(said.size() > 1);
        QVERIFY2(said[1].contains(QStringLiteral("2.0 kB/s")), qPrintable(said[1]));
        QVERIFY2(said.last().startsWith(QStringLiteral("100%")), qPrintable(said.last()));
        QVERIFY2(!find<QProgressBar>("progress")->isTextVisible(), "on the bar it could not be read");
        m_jobs.speed = 0;
    }

    void namesOfTensorsAreNoMarkup() {
        openModel();
        auto model = std::make_shared<Model>(*wizard().plans().model());
        model->tensors[0].name = "blk.1.<h1>big</h1>.weight";
        auto plan = std::make_shared<quantize::QuantizePlan>(*wizard().plans().plan());
        plan->model = model;
        PlanModel table;
        table.setPlan(plan, {});
        for (int row = 0; row < table.rowCount(); ++row)
            QVERIFY(!table.index(row, PlanModel::Name).data(Qt::ToolTipRole).toString().contains(QStringLiteral("<h1>")));
    }

    void boxesHaveNamesForScreenReaders() {
        for (const char* name : {"mix", "bulkType"}) {
            const auto relations = QAccessible::queryAccessibleInterface(find<QComboBox>(name))->relations(QAccessible::Label);
            QCOMPARE(relations.size(), 1);
            QCOMPARE(relations[0].first->text(QAccessible::Name), find<QComboBox>(name)->accessibleName());
            QVERIFY(!find<QComboBox>(name)->accessibleName().isEmpty());
        }
    }

    void theChartReadsAndChoosesTensors() {
        openModel();
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        auto* chart = find<ErrorChart>("errorChart");
        auto* table = find<QTableView>("errorTable");
        const QString worst = table->model()->index(0, ErrorModel::Name).data().toString();
        QVERIFY2(chart->sentence().contains(worst), qPrintable(chart->sentence()));
        const auto place = [chart](int row) {
            return QPoint(64 + (chart->width() - 72) * (2 * row + 1) / 16, chart->height() / 2);
        }; // of eight
        QTest::mouseMove(chart, place(3));
        QCOMPARE(chart->current(), 3);
        QTest::mouseClick(chart, Qt::LeftButton, {}, place(5));
        const QString name =
            QString::fromStdString(wizard().plans().plan()->model->tensors[wizard().plans().plan()->tensors[5].source].name);
        QCOMPARE(table->currentIndex().siblingAtColumn(ErrorModel::Name).data().toString(), name);
        QVERIFY2(chart->accessibleDescription().startsWith(name), qPrintable(chart->accessibleDescription()));
        QTest::keyClick(chart, Qt::Key_Home);
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(chart->current(), 1);
        QTest::keyClick(chart, Qt::Key_Return);
        QCOMPARE(proxyRow(table), 1);
        QTest::keyClick(chart, Qt::Key_End);
        QTest::keyClick(chart, Qt::Key_Right);
        QCOMPARE(chart->current(), 7);
        // The bar of the worst tensor reaches the top of the plot; a copied tensor has none.
        chart->setCurrent(-1);
        const QImage picture = chart->grab().toImage();
        const QColor bar = chart->palette().color(QPalette::Link);
        int worstRow = 0;
        while (
            QString::fromStdString(wizard()
                                       .plans()
                                       .plan()
                                       ->model->tensors[wizard().plans().plan()->tensors[static_cast<std::size_t>(worstRow)].source]
                                       .name) != worst)
            ++worstRow;
        QCOMPARE(picture.pixelColor(place(worstRow).x(), 26), bar);
        QVERIFY(picture.pixelColor(place(0).x(), chart->height() - 9) != bar);
    }

    void theMixIsChosenByKeyboard() {
        openModel();
        auto* mix = find<QComboBox>("mix");
        mix->setFocus();
        QTest::keyClicks(mix, QStringLiteral("Q8_0"));
        QTest::keyClick(mix, Qt::Key_Enter);
        Q_EMIT mix->activated(mix->currentIndex());
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        QTRY_VERIFY(find<QLineEdit>("target")->text().endsWith(QStringLiteral("model-Q8_0.gguf")));
    }

    void oneTypeIsEditedInTheTable() {
        openModel();
        auto* table = find<QTableView>("planTable");
        editTypeFromTensor("blk.1.ffn_up.weight");
        auto* editor = table->viewport()->findChild<QComboBox*>();
        QVERIFY(editor);
        QVERIFY(editor->findData(QStringLiteral("Q8_K")) < 0);
        QVERIFY2(editor->findData(QStringLiteral("IQ2_XXS")) < 0, "there is no importance matrix");
        editor->setCurrentIndex(editor->findData(QStringLiteral("Q8_0")));
        Q_EMIT editor->activated(editor->currentIndex());
        QTRY_COMPARE(typeFromTensor("blk.1.ffn_up.weight"), QStringLiteral("Q8_0"));
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q4_K"));
        const QModelIndex fixed = table->model()->index(0, PlanModel::To);
        QVERIFY(!fixed.flags().testFlag(Qt::ItemIsEditable));
    }

    void keysOnlyLookForATypeUntilEnter() {
        openModel();
        const QModelIndex cell = editTypeFromTensor("blk.1.ffn_up.weight");
        auto* box = find<QTableView>("planTable")->viewport()->findChild<TypeBox*>();
        QVERIFY(box);
        QTRY_VERIFY(box->view()->isVisible());
        QVERIFY2(box->width() >= box->sizeHint().width(), "the text is cut off");
        QVERIFY(find<QTableView>("planTable")->viewport()->rect().contains(box->geometry()));
        QTest::keyClicks(box->view(), QStringLiteral("Q8"));
        QTest::keyClick(box->view(), Qt::Key_Up);
        QTest::keyClick(box->view(), Qt::Key_Down);
        QVERIFY2(!wizard().choices().canUndo(), "nothing is chosen yet");
        QTest::keyClick(box->view(), Qt::Key_Enter);
        QTRY_COMPARE(cell.data().toString(), QStringLiteral("Q8_0"));
        QTRY_VERIFY(!find<QTableView>("planTable")->viewport()->findChild<TypeBox*>());
    }

    void escapeLeavesTheTypeAsItIs() {
        openModel();
        editTypeFromTensor("blk.1.ffn_up.weight");
        QPointer<TypeBox> box = find<QTableView>("planTable")->viewport()->findChild<TypeBox*>();
        QVERIFY(box);
        QTRY_VERIFY(box->view()->isVisible());
        QTest::keyClick(box->view(), Qt::Key_Down);
        QTest::keyClick(box->view(), Qt::Key_Escape);
        QTRY_VERIFY(!box);
        QVERIFY(!wizard().choices().canUndo());
    }

    void theKeyThatBeginsToEditLooksForATypeToo() {
        openModel();
        auto* table = find<QTableView>("planTable");
        table->setCurrentIndex(editable("blk.1.ffn_up.weight"));
        QTest::keyClicks(table, QStringLiteral("B"));
        auto* box = table->viewport()->findChild<TypeBox*>();
        QVERIFY(box);
        QTRY_COMPARE(box->view()->currentIndex().data().toString(), QStringLiteral("BF16"));
        QVERIFY(!wizard().choices().canUndo());
    }

    void namesStayReadableInASmallWindow() {
        openModel();
        auto* table = find<QTableView>("planTable");
        const auto isReadable = [table] {
            const int needed = table->fontMetrics().horizontalAdvance(QStringLiteral("blk.1.ffn_down.weight"));
            return table->columnWidth(PlanModel::Name) > needed;
        };
        QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
        QVERIFY(isReadable());
        m_bench->tab->resize(890, 480); // both parts have just their room
        QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 0);
        QVERIFY(isReadable());
        m_bench->tab->resize(1180, 700);
        QTRY_COMPARE(table->horizontalHeader()->length(), table->viewport()->width());
    }

    void manyTypesAreSetAtOnce() {
        openModel();
        QTest::keyClicks(find<QLineEdit>("searchTensors"), QStringLiteral("ffn_up"));
        QCOMPARE(find<QTableView>("planTable")->model()->rowCount(), 2);
        auto* type = find<QComboBox>("bulkType");
        type->setCurrentIndex(type->findData(QStringLiteral("Q6_K")));
        click("setShown");
        QTRY_COMPARE(typeFromTensor("blk.1.ffn_up.weight"), QStringLiteral("Q6_K"));
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q6_K"));
        find<QLineEdit>("searchTensors")->clear();
        QCOMPARE(typeFromTensor("blk.0.ffn_down.weight"), QStringLiteral("Q4_K"));
        type->setCurrentIndex(0);
        find<QTableView>("planTable")->selectAll();
        click("setSelected");
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q4_K"));
    }

    void whatCannotBeSetIsSaid() {
        openModel();
        QSignalSpy said(m_bench->tab.get(), &ui::Tab::message);
        auto* type = find<QComboBox>("bulkType");
        type->setCurrentIndex(type->findData(QStringLiteral("IQ2_XXS")));
        click("setShown");
        QVERIFY(!wizard().choices().canUndo());
        QVERIFY(said.size() == 1 && said[0][1].toBool());
        QVERIFY2(said[0][0].toString().contains(QStringLiteral("requires importance data")), qPrintable(said[0][0].toString()));
        type->setCurrentIndex(type->findData(QStringLiteral("Q6_K")));
        click("setShown");
        QVERIFY(wizard().choices().canUndo());
        QCOMPARE(said.size(), 1);
        find<QLineEdit>("searchTensors")->setText(QStringLiteral("output_norm"));
        click("setShown");
        QVERIFY(said.size() == 2 && said[1][0].toString().contains(QStringLiteral("never quantized")));
    }

    void aRefusalIsOverWithTheNextChoice() {
        openModel();
        QSignalSpy said(m_bench->tab.get(), &ui::Tab::message);
        QSignalSpy over(m_bench->tab.get(), &ui::Tab::messageOver);
        wizard().choices().setMatrix(writeMatrix(path("one.dat")));
        QVERIFY(m_bench->settle());
        auto* type = find<QComboBox>("bulkType");
        type->setCurrentIndex(type->findData(QStringLiteral("IQ2_XS")));
        click("setShown");
        QVERIFY(m_bench->settle());
        QCOMPARE(said.size(), 1);
        QVERIFY2(over.isEmpty(), "it is said of the plan that came of it");
        wizard().choices().setMix(quant::FileType::Q8_0);
        QVERIFY(m_bench->settle());
        QCOMPARE(over.size(), 1);
        QCOMPARE(over[0][0], said[0][0]);
        click("setShown");
        QVERIFY(m_bench->settle());
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QCOMPARE(over.size(), 2);
    }

    void aMixThatWasChangedIsNotPraised() {
        openModel();
        const auto* note = find<QLabel>("mixNote");
        const auto* figures = find<QLabel>("mixFigures");
        QVERIFY(note->text().contains(QStringLiteral("Recommended default")) &&
                figures->text().contains(QStringLiteral("divergence")));
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q4_K); // what the mix says, too
        QTRY_VERIFY(!wizard().plans().isPlanning());
        QVERIFY2(note->text().contains(QStringLiteral("Recommended default")), qPrintable(note->text()));
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q2_K);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q2_K"));
        QVERIFY2(note->text().startsWith(QStringLiteral("Types were changed manually")), qPrintable(note->text()));
        QVERIFY2(figures->text().isEmpty(), qPrintable(figures->text()));
        wizard().choices().undo();
        QTRY_VERIFY(figures->text().contains(QStringLiteral("divergence")));
        wizard().budget().chooseUnder(300'000);
        QTRY_VERIFY(wizard().budget().result());
        QVERIFY2(note->text().startsWith(QStringLiteral("Types were chosen for a file size")), qPrintable(note->text()));
    }

    void figuresAreCitedForWhatWasMeasuredOnly() {
        openModel();
        const auto* figures = find<QLabel>("mixFigures");
        const auto choose = [this](auto use) {
            use();
            QVERIFY(m_bench->settle());
        };
        const auto cites = [figures](const char* number) { return figures->text().contains(QLatin1String(number)); };
        QVERIFY2(cites("0.0313"), qPrintable(figures->text()));
        choose([this] { wizard().choices().setPure(true); });
        QVERIFY2(figures->text().isEmpty(), "the figures are those of a mix");
        QVERIFY(!find<QLabel>("mixNote")->text().isEmpty());
        choose([this] { wizard().choices().setPure(false); });
        choose([this] { wizard().choices().setMix(quant::FileType::Q4_K_S); });
        QVERIFY2(cites("0.0431") && !cites("importance"), qPrintable(figures->text()));
        choose([this] { wizard().choices().setMix(quant::FileType::IQ4_XS); });
        QVERIFY2(figures->text().isEmpty(), "it was measured with an importance matrix only");
        choose([this] { wizard().choices().setMix(quant::FileType::Q4_K_M); });
        choose([this] { wizard().choices().setMatrix(writeMatrix(path("one.dat"))); });
        QVERIFY2(figures->text().isEmpty(), "the matrix knows one tensor of these");
        choose([this] { wizard().choices().setMix(quant::FileType::Q8_0); });
        QVERIFY2(cites("0.00136"), "no matrix changes this type");
        QVERIFY(publishedQuality(quant::FileType::Q4_K_M, true)->divergence == 0.0282);
        QVERIFY2(!publishedQuality(quant::FileType::F16, false), "it is what the others are compared with");
    }

    void aPrunedOrQuantizedModelHasNoFigures() {
        openModel();
        auto request = wizard().choices().request();
        const auto plan = wb::quantize::planQuantize(wizard().plans().model(), request);
        QVERIFY(!ui::convert::qualityFigures(request, *plan).isEmpty());
        request.prune = {0};
        QVERIFY(ui::convert::qualityFigures(request, *wb::quantize::planQuantize(wizard().plans().model(), request)).isEmpty());
        request.prune.clear();
        auto quantized = *plan;
        quantized.tensors[1].from = Dtype::Q8_0;
        QVERIFY(ui::convert::qualityFigures(request, quantized).isEmpty());
    }

    void typesAreChosenForASize() {
        openModel();
        find<QRadioButton>("bySize")->setChecked(true);
        find<QLineEdit>("size")->setText(QStringLiteral("1 MB"));
        click("find");
        QTRY_VERIFY(wizard().budget().result() && !wizard().plans().isPlanning());
        QVERIFY(wizard().plans().plan()->fileBytes() <= 1'000'000);
        QVERIFY2(find<QLabel>("gain")->text().contains(QStringLiteral("samples")), qPrintable(find<QLabel>("gain")->text()));
    }

    void aDeviceThatFailsTheMeasurementIsTold() {
        const Problem lost{Severity::Warning, "device.lost", {}, {}, "The device is gone.", {}};
        const Problem slower{Severity::Note, "device.slower", {}, {}, "The device is slow.", {}};
        m_bench->services.quantizer = [=] { return std::shared_ptr<quant::Backend>(quant::makeCpuBackend({lost, slower})); };
        openModel();
        wizard().budget().chooseUnder(1'000'000);
        QTRY_VERIFY(wizard().budget().result() && !wizard().plans().isPlanning());
        const QString gain = find<QLabel>("gain")->text();
        QVERIFY2(gain.contains(QStringLiteral("samples")) && gain.endsWith(QStringLiteral("\nThe device is gone.")),
                 qPrintable(gain));
        wizard().budget().chooseUnder(1'000);
        QTRY_VERIFY(!wizard().budget().isMeasuring());
        QVERIFY2(wizard().failure().endsWith(QStringLiteral(" The device is gone.")), qPrintable(wizard().failure()));
    }

    void typesAreChosenByMeasuringEveryRow() {
        openModel();
        find<QRadioButton>("bySize")->setChecked(true);
        find<QLineEdit>("size")->setText(QStringLiteral("1000 KB"));
        find<QCheckBox>("everyRow")->setChecked(true);
        click("find");
        QTRY_VERIFY(wizard().budget().result() && !wizard().plans().isPlanning());
        QVERIFY(wizard().budget().result()->exact);
        QVERIFY2(find<QLabel>("gain")->text().contains(QStringLiteral("every row")), qPrintable(find<QLabel>("gain")->text()));
        click("run");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        double reported = 0;
        const std::vector<convert::TensorError>& errors = wizard().runs().outcome()->errors;
        for (std::size_t i = 0; i < errors.size(); ++i) {
            const auto& planned = wizard().plans().plan()->tensors[i];
            const auto elements = static_cast<double>(wizard().plans().plan()->model->tensors[planned.source].shape.elements());
            reported += errors[i].rmse * errors[i].rmse * elements;
        }
        QVERIFY(std::abs(wizard().budget().result()->error - reported) <= reported * 1e-9);
    }

    void sizesAreWrittenAsPeopleDo() {
        ui::convert::SizeEdit edit;
        const auto bytesOf = [&edit](const char16_t* text) {
            edit.setText(QString::fromUtf16(text));
            return edit.bytes().value_or(0);
        };
        QCOMPARE(bytesOf(u"4.2 GB"), 4'200'000'000u);
        QCOMPARE(bytesOf(u"4.2"), 4'200'000'000u); // gigabytes
        QCOMPARE(bytesOf(u" 800mib "), 800u << 20);
        QCOMPARE(bytesOf(u"\uFF14\uFF0E\uFF12\u3000\uFF27\uFF22"), 4'200'000'000u); // full width
        QCOMPARE(bytesOf(u"4\u30022GB"), 4'200'000'000u);
        for (const char16_t* text : {u"", u"much", u"-1 GB", u"0", u"4 XB"}) QCOMPARE(bytesOf(text), 0u);
        for (const quint64 bytes : {quint64{999}, quint64{2'098'000}, quint64{4'200'000'000}}) {
            edit.setBytes(bytes);
            QCOMPARE(edit.bytes().value_or(0), bytes);
        }
    }

    void aSizeThatIsNoneIsNotSearchedFor() {
        openModel();
        find<QRadioButton>("bySize")->setChecked(true);
        QVERIFY(find<QPushButton>("find")->isEnabled());
        find<QLineEdit>("size")->setText(QStringLiteral("4 apples"));
        QVERIFY(!find<QPushButton>("find")->isEnabled());
    }

    void changesOfThePlanAreTakenBack() {
        openModel();
        auto* undo = find<QAction>("undo");
        auto* redo = find<QAction>("redo");
        QVERIFY(!undo->isEnabled() && !redo->isEnabled());
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q8_0);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        wizard().choices().setMix(quant::FileType::Q6_K);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q6_K"));
        undo->trigger();
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        QCOMPARE(typeFromTensor("blk.1.ffn_up.weight"), QStringLiteral("Q4_K"));
        undo->trigger();
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q4_K"));
        QVERIFY(!undo->isEnabled());
        redo->trigger();
        redo->trigger();
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q6_K"));
        undo->trigger();
        wizard().choices().setPure(true); // what was taken back is gone with a new change
        QTRY_VERIFY(!redo->isEnabled());
    }

    void aKeptPlanIsOpenedAgain() {
        openModel();
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q8_0);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        QFile file(path("mine.plan.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(wizard().plans().planText().toUtf8());
        file.close();
        wizard().choices().setMix(quant::FileType::Q5_K_M);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q5_K"));
        wizard().plans().loadPlan(path("mine.plan.json"));
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        QCOMPARE(typeFromTensor("blk.1.ffn_up.weight"), QStringLiteral("Q4_K"));
        wizard().plans().loadPlan(path("model-f32.gguf"));
        QTRY_VERIFY2(find<QLabel>("failure")->text().contains(QStringLiteral("model-f32.gguf")),
                     qPrintable(find<QLabel>("failure")->text()));
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
    }

    // Made by `wb quantize --override-kv … --prune-layers 0 --save-plan`.
    void whatAPlanLeavesOutIsSaidAndKept() {
        openModel();
        auto request = wizard().choices().request();
        request.prune = {0};
        request.overrides = {*wb::quantize::parseKeyOverride("general.name=str:it's")};
        const auto plan = wb::quantize::planQuantize(wizard().plans().model(), request);
        QVERIFY(plan);
        QFile file(path("other.plan.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(*wb::quantize::planJson(*plan, request, {})));
        file.close();
        wizard().plans().loadPlan(path("other.plan.json"));
        QTRY_COMPARE(wizard().plans().plan()->tensors.size(), plan->tensors.size());
        QVERIFY2(wizard().choices().request().types.empty(), "all types are what the mix says");
        const QLabel* said = find<QLabel>("failure");
        QVERIFY2((said->text() + said->toolTip()).contains(QStringLiteral("as requested: 0.")), qPrintable(said->text()));
        QCOMPARE(m_bench->options(), QStringLiteral("--override-kv 'general.name=str:it'\\''s' --prune-layers 0 Q4_K_M"));
        QVERIFY(wizard().plans().planText().contains(QStringLiteral("\"prune_layers\":[0]")));
    }

    void theSessionKeepsThePlan() {
        openModel();
        wizard().choices().setTypes({"blk.0.ffn_up.weight"}, Dtype::Q8_0);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        const QJsonObject session = m_bench->tab->saveSession();
        m_bench->restart();
        m_bench->tab->restoreSession(session);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q8_0"));
        QCOMPARE(wizard().step(), Wizard::Step::Plan);
        QVERIFY2(wizard().choices().request().types.size() == 1, "the others are what the mix says");
    }

    void aPlanThatOnlyCopiesKnowsItsTime() {
        openModel();
        wizard().choices().setMix(quant::FileType::F32);
        QTRY_COMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("F32"));
        QTRY_VERIFY(find<QLabel>("time")->text().startsWith(QStringLiteral("about")));
    }

    void memoryCountsTheCacheToo() {
        openModel();
        find<QRadioButton>("byMemory")->setChecked(true);
        QCOMPARE(*wizard().budget().cacheBytes(1024), quint64{2 * 1024 * 512 * 2});
        find<QLineEdit>("memory")->setText(QStringLiteral("200 MiB")); // less than the buffers
        click("find");
        QVERIFY(find<QLabel>("failure")->text().contains(QStringLiteral("cache")));
        QVERIFY2(find<QLabel>("failure")->text().contains(QStringLiteral("buffers")), qPrintable(find<QLabel>("failure")->text()));
        QVERIFY2(!find<QLabel>("mixNote")->text().contains(QStringLiteral("rest")), qPrintable(find<QLabel>("mixNote")->text()));
        find<QLineEdit>("memory")->setText(QStringLiteral("2 GiB"));
        QVERIFY(find<QLabel>("mixNote")->text().contains(QStringLiteral("rest is available for the weights")));
    }

    void whatWasCanceledIsOfferedAgain() {
        openModel();
        m_jobs.stopAfter = 2;
        QVERIFY(m_bench->clickRun());
        QTRY_COMPARE(wizard().step(), Wizard::Step::Plan);
        m_jobs.stopAfter = -1;
        QVERIFY(!QFile::exists(path("model-Q4_K_M.gguf")));
        m_bench->restart();
        m_bench->resumeJob("model-Q4_K_M.gguf");
        QTRY_COMPARE(wizard().step(), Wizard::Step::Result);
        QVERIFY(wizard().runs().outcome()->resumedItems > 0);
        QVERIFY2(find<QLabel>("resultSummary")->text().contains(QStringLiteral("last one:")), "its time is that of the rest");
        QVERIFY(QFile::exists(path("model-Q4_K_M.gguf")));
        click("another");
        QTRY_COMPARE(m_bench->job("model-Q4_K_M.gguf").state, ui::WorkState::Done);
        QVERIFY(!m_bench->job("model-Q4_K_M.gguf").result.isEmpty());
    }

    void openModelsAreOfferedToBeginWith() {
        const QString model = writeModel(m_bench->path("."));
        m_bench->services.models.set(QStringLiteral("inspect"),
                                     {{QStringLiteral("/nonexistent/folder"), nullptr}, {model, nullptr}});
        const auto offered = m_bench->tab->findChildren<QPushButton*>(QStringLiteral("openModel"));
        QCOMPARE(offered.size(), 1);
        QCOMPARE(offered[0]->text(), QStringLiteral("model-f32.gguf"));
        QTest::mouseClick(offered[0], Qt::LeftButton);
        QTRY_VERIFY(wizard().plans().plan());
    }

    void aFileThatIsNoModelIsRefused() {
        m_bench->tab->openPaths({path("none.gguf")});
        QTRY_VERIFY(find<QLabel>("failure")->text().contains(QStringLiteral("none.gguf")));
        QVERIFY(!find<QPushButton>("run")->isEnabled());
    }

    void whatWentWrongFollowsTheLanguage() {
        QVERIFY(m_bench->open(path("none.gguf")));
        const QString english = m_bench->failure();
        const auto back = qScopeGuard([] { ui::applyLanguage(QStringLiteral("en")); });
        ui::applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(m_bench->failure() != english);
        QVERIFY2(m_bench->failure().contains(QStringLiteral("none.gguf")), qPrintable(m_bench->failure()));
        QVERIFY(!wizard().failure().isEmpty());
    }

    void pagesFollowTheLanguage() {
        openModel();
        find<QRadioButton>("byMemory")->setChecked(true);
        find<QLineEdit>("memory")->setText(QStringLiteral("6 GiB"));
        find<QSpinBox>("context")->setValue(2048);
        find<QLineEdit>("size")->setText(QStringLiteral("123 MB"));
        find<QLineEdit>("target")->clear();
        QTest::keyClicks(find<QLineEdit>("target"), path("mine.gguf"));
        const QPointer<QLineEdit> before = find<QLineEdit>("target");
        QEvent event(QEvent::LanguageChange);
        QCoreApplication::sendEvent(m_bench->tab.get(), &event);
        QTRY_VERIFY(!before); // the pages are made anew
        QCOMPARE(typeFromTensor("blk.0.ffn_up.weight"), QStringLiteral("Q4_K"));
        QVERIFY(find<QRadioButton>("byMemory")->isChecked());
        QCOMPARE(find<QLineEdit>("memory")->text(), QStringLiteral("6 GiB"));
        QCOMPARE(find<QSpinBox>("context")->value(), 2048);
        QCOMPARE(find<QLineEdit>("size")->text(), QStringLiteral("123 MB"));
        QCOMPARE(find<QLineEdit>("target")->text(), path("mine.gguf"));
    }

    void modelsKeepTheirPromises() {
        openModel();
        PlanModel plan;
        const QAbstractItemModelTester planTester(&plan, QAbstractItemModelTester::FailureReportingMode::QtTest);
        plan.setPlan(wizard().plans().plan(), {});
        plan.setPlan(wizard().plans().plan(), {{"blk.0.ffn_up.weight", Dtype::Q8_0}});
        plan.setPlan(nullptr, {});
        ErrorModel errors;
        const QAbstractItemModelTester errorTester(&errors, QAbstractItemModelTester::FailureReportingMode::QtTest);
        errors.setOutcome(wizard().plans().plan(), std::vector<convert::TensorError>(wizard().plans().plan()->tensors.size()));
        QCOMPARE(errors.rowCount(), 8);
    }
};

WB_GUI_TEST(WizardTest)

} // namespace wb::test

#include "wizard_test.moc"
