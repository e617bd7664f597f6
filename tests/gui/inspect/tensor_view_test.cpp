// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/fake_backend.h"
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/map/comparison_choice.h"
#include "ui/inspect/distribution/distribution_panel.h"
#include "ui/inspect/tables/grid_table_model.h"
#include "ui/inspect/map/model_map_panel.h"
#include "ui/inspect/map/model_map_view.h"
#include "ui/inspect/map/heat_map_panel.h"

#include "core/formats/open.h"
#include "core/tensor/decode.h"

#include <QCompleter>
#include <QLineEdit>
#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>

#include <random>
#include <set>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

// Tensors in memory: 0 Q4_1 and 1 BF16 of [64, 96], 2 another Q4_1 of it, 3 a stack of three Q8_0 matrices of [8, 64].
ModelPtr mixedModel(unsigned seed = 1) {
    auto model = std::make_shared<Model>();
    model->path = "mixed.gguf";
    std::vector<std::byte> all;
    std::mt19937 random(seed);
    const auto add = [&](const char* name, Dtype dtype, const Shape& shape) {
        TensorInfo& tensor = model->tensors.emplace_back();
        tensor.name = name;
        tensor.dtype = dtype;
        tensor.shape = shape;
        tensor.source = TensorSource::stored(0, all.size(), *rowBytes(dtype, shape.elements()));
        const std::uint64_t block = info(dtype).blockBytes, floats = dtype == Dtype::Q8_0 ? 2 : 4; // d and m lie in front
        for (std::uint64_t i = 0; i < tensor.bytes(); ++i) // upper halves of floats are such that all values are small
            all.push_back(static_cast<std::byte>(i % 2 == 1 && i % block < floats ? 0x2C + random() % 4 : random()));
    };
    const Shape flat = *Shape::make({64, 96});
    add("blk.0.q4", Dtype::Q4_1, flat);
    add("blk.0.bf16", Dtype::BF16, flat);
    add("blk.1.q4", Dtype::Q4_1, flat);
    add("blk.0.exps", Dtype::Q8_0, *Shape::make({3, 8, 64}));
    const auto size = all.size();
    model->files.push_back({"mixed.gguf", size, {}, std::make_shared<io::MemorySource>("mixed.gguf", std::move(all))});
    return model;
}

double modelValue(const Model& model, std::uint32_t tensor, std::uint64_t index) {
    return stats::readBlock(*TensorReader::open(model, model.tensors[tensor]), index)
        ->values[index % info(model.tensors[tensor].dtype).blockElements];
}

// A view over a model with everything it needs; jobs run when told.
struct TensorViewBench {
    explicit TensorViewBench(const ModelPtr& model)
        : document(stats::modelContents(model)), services(&jobs, {.threads = 1}, &backend, maps.get()), view(document, services) {
        view.resize(1100, 600);
        view.show();
    }
    void choose(std::uint32_t tensor) {
        view.setTensor(tensor);
        jobs.runAll();
    }
    CellTableModel* table(const char* name) const { return view.findChild<CellTableView*>(QLatin1String(name))->cells(); }

    test::ManualJobs jobs;
    test::FakeBackend backend;
    std::unique_ptr<stats::MapBackend> maps = stats::makeCpuMapBackend(1);
    Document document;
    test::TestServices services;
    HeatMapPanel view;
};

} // namespace

class TensorViewTest : public QObject {
    Q_OBJECT

private slots:
    void showsBlockScaleAndCodeOfAnElement() {
        TensorViewBench bench(mixedModel());
        bench.choose(0);
        QVERIFY(bench.view.goTo(QStringLiteral("3, 40")));
        bench.jobs.runAll();
        const QString sentence = bench.view.picture()->accessibleDescription();
        QVERIFY2(sentence.startsWith(QStringLiteral("Row 3, column 40:")), qPrintable(sentence));
        QVERIFY2(sentence.contains(QStringLiteral("Block 10, element 8 of 32; Scale ")), qPrintable(sentence));
        QVERIFY2(sentence.contains(QStringLiteral("Minimum ")) && sentence.contains(QStringLiteral("Code ")), qPrintable(sentence));
        CellTableModel* block = bench.table("mapBlock");
        QCOMPARE(block->rowCount(), 32);
        QCOMPARE(block->cell(8, 0).exact, QStringLiteral("328"));
        QCOMPARE(block->cell(8, 5).exact.toDouble(), modelValue(bench.document.model(), 0, 328));
        QVERIFY(!bench.view.goTo(QStringLiteral("64, 0")));
        QVERIFY(!bench.view.goTo(QStringLiteral("nonsense")));
    }

    void showsTheValuesThatAreSeenAsATable() {
        TensorViewBench bench(mixedModel());
        bench.choose(1);                                                                      // BF16
        bench.view.findChild<QComboBox*>(QStringLiteral("mapStatistic"))->setCurrentIndex(2); // the values
        auto* tabs = bench.view.findChild<QTabWidget*>(QStringLiteral("mapTables"));
        auto* values = bench.view.findChild<QTableView*>(QStringLiteral("mapValues"));
        tabs->setCurrentWidget(values);
        QVERIFY(bench.view.goTo(QStringLiteral("10, 20")));
        bench.jobs.runAll();
        auto* grid = qobject_cast<GridTableModel*>(values->model());
        const QAbstractItemModelTester tester(grid, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const stats::MatrixRegion seen = bench.view.picture()->viewport().visible();
        QTRY_COMPARE(grid->rowCount(), static_cast<int>(seen.rows)); // the table follows the picture after a moment
        QCOMPARE(grid->columnCount(), static_cast<int>(seen.columns));
        QCOMPARE(grid->headerData(0, Qt::Vertical, Qt::DisplayRole).toString(), QString::number(seen.row));
        const QModelIndex at = grid->index(static_cast<int>(10 - seen.row), static_cast<int>(20 - seen.column));
        QCOMPARE(at.data(Qt::UserRole).toString().toDouble(), modelValue(bench.document.model(), 1, 10 * 96 + 20));
        QVERIFY(grid->asText(1).isEmpty());
        QCOMPARE(grid->asText(1'000'000).count(QLatin1Char('\n')), static_cast<qsizetype>(seen.rows) + 1);
    }

    void walksThroughAStackOfMatrices() {
        TensorViewBench bench(mixedModel());
        bench.choose(3);
        auto* slice = bench.view.findChild<QSpinBox*>(QStringLiteral("mapSlice"));
        QVERIFY(slice->isVisible());
        QCOMPARE(slice->maximum(), 2);
        slice->setValue(1);
        bench.jobs.runAll();
        QVERIFY(bench.view.goTo(QStringLiteral("2, 4, 5")));
        bench.jobs.runAll();
        QCOMPARE(slice->value(), 2);
        const auto value = modelValue(bench.document.model(), 3, 2 * 8 * 64 + 4 * 64 + 5);
        QVERIFY2(bench.view.picture()->sentence().contains(QLocale().toString(value, 'g', 6)),
                 qPrintable(bench.view.picture()->sentence()));
        bench.choose(0);
        QVERIFY(!slice->isVisible());
    }

    void comparesTensorsOfEqualShape() {
        TensorViewBench bench(mixedModel());
        bench.choose(0);
        QCOMPARE(bench.view.comparison()->count(), 4); // nothing, BF16, the other Q4_1, a file
        bench.view.compareWith(stats::OtherTensor{bench.document.contents().model, 2});
        bench.jobs.runAll();
        CellTableModel* errors = bench.table("mapDifference");
        QCOMPARE(errors->rowCount(), 10);
        const double largest = errors->cell(2, 1).exact.toDouble();
        QVERIFY(largest > 0);
        bench.view.findChild<QComboBox*>(QStringLiteral("mapStatistic"))->setCurrentIndex(0);
        QVERIFY(bench.view.picture()->sentence().endsWith(
            QLocale().toString(double{static_cast<float>(largest)}, 'g', 6))); // of the difference map
        bench.view.compareWith({});
        bench.jobs.runAll();
        QCOMPARE(errors->rowCount(), 0);
    }

    void elementsShowTheirValuesAndThoseOfBothTensorsCompared() {
        TensorViewBench bench(mixedModel());
        const Model& model = bench.document.model();
        bench.choose(1);
        HeatMap& picture = *bench.view.picture();
        QVERIFY(picture.valuesIn(10, 20).empty()); // all of it is seen
        QVERIFY(bench.view.goTo(QStringLiteral("10, 20")));
        picture.zoom(100);
        bench.jobs.runAll();
        const auto asFloat = [&model](std::uint32_t tensor) { return static_cast<float>(modelValue(model, tensor, 10 * 96 + 20)); };
        QCOMPARE(picture.valuesIn(10, 20), std::vector{asFloat(1)});
        bench.choose(0);
        bench.view.compareWith(stats::OtherTensor{bench.document.contents().model, 2});
        bench.jobs.runAll();
        QVERIFY(bench.view.goTo(QStringLiteral("10, 20")));
        picture.zoom(100);
        bench.jobs.runAll();
        QCOMPARE(picture.valuesIn(10, 20), (std::vector{asFloat(0), asFloat(2)}));
        picture.fit();
        QVERIFY(picture.valuesIn(10, 20).empty());
    }

    // The same error whichever of the two is looked at: relative to the one with more bits, as the result of a quantization says
    // it.
    void errorsAreRelativeToTheOriginal() {
        TensorViewBench bench(mixedModel());
        CellTableModel* errors = bench.table("mapDifference");
        double squares = 0, originals = 0;
        for (std::uint64_t i = 0; i < 64 * 96; ++i) {
            squares += std::pow(modelValue(bench.document.model(), 0, i) - modelValue(bench.document.model(), 1, i), 2);
            originals += std::pow(modelValue(bench.document.model(), 1, i), 2);
        }
        for (const std::uint32_t own : {0u, 1u}) {
            bench.choose(own);
            bench.view.compareWith(stats::OtherTensor{bench.document.contents().model, 1 - own});
            bench.jobs.runAll();
            QVERIFY(std::abs(errors->cell(4, 1).exact.toDouble() - std::sqrt(squares / originals)) < 1e-9);
            QVERIFY2(errors->cell(4, 1).shown.endsWith(QLatin1Char('%')), "as everywhere else");
            QVERIFY(errors->cell(4, 0).shown.contains(own == 0 ? QStringLiteral("the other tensor's")
                                                               : QStringLiteral("this tensor's")));
        }
        QCOMPARE(errors->cell(9, 1).shown, QStringLiteral("this tensor minus the other"));
        QVERIFY(bench.view.goTo(QStringLiteral("5, 7")));
        bench.jobs.runAll();
        const QString said = bench.view.picture()->accessibleDescription();
        const auto shown = [&](std::uint32_t tensor) {
            return QLocale().toString(modelValue(bench.document.model(), tensor, 5 * 96 + 7), 'g', 6);
        };
        QVERIFY2(said.contains(QStringLiteral("%1 here, %2 in the other tensor").arg(shown(1), shown(0))), qPrintable(said));
    }

    void numbersAreWholeInTheListOfWhatIsSeen() {
        TensorViewBench bench(mixedModel());
        bench.choose(1);
        auto* values = bench.view.findChild<QTableView*>(QStringLiteral("mapValues"));
        bench.view.findChild<QTabWidget*>(QStringLiteral("mapTables"))->setCurrentWidget(values);
        QVERIFY(!values->wordWrap());
        QVERIFY(values->columnWidth(0) > values->fontMetrics().horizontalAdvance(QStringLiteral("-0.000123456")));
        QVERIFY(values->verticalHeader()->isVisible());
        QVERIFY(values->verticalHeader()->defaultAlignment() & Qt::AlignVCenter);
    }

    void comparesWithAnotherOpenModel() {
        const ModelPtr other = mixedModel(7); // same names and shapes, other values
        TensorViewBench bench(mixedModel());
        ComparisonChoice* choice = bench.view.comparison();
        choice->setOpenModels([other] { return QList<OtherModel>{{other, QStringLiteral("other.gguf")}}; });
        bench.choose(0);
        QCOMPARE(choice->itemText(1), QStringLiteral("blk.0.q4 in other.gguf")); // its namesake comes first
        choice->setCurrentIndex(1);
        emit choice->activated(1);
        bench.jobs.runAll();
        CellTableModel* errors = bench.table("mapDifference");
        double sum = 0;
        for (std::uint64_t i = 0; i < 64 * 96; ++i)
            sum += std::abs(modelValue(bench.document.model(), 0, i) - modelValue(*other, 0, i));
        QVERIFY(std::abs(errors->cell(0, 1).exact.toDouble() - sum / (64 * 96)) < 1e-12 * sum);
        QVERIFY(bench.view.goTo(QStringLiteral("5, 7")));
        bench.jobs.runAll();
        const double difference = modelValue(bench.document.model(), 0, 5 * 96 + 7) - modelValue(*other, 0, 5 * 96 + 7);
        const QString expected = QLocale().toString(double{static_cast<float>(difference)}, 'g', 6);
        QVERIFY2(bench.view.picture()->sentence().contains(expected), qPrintable(bench.view.picture()->sentence()));

        bench.choose(1); // the comparison goes along
        QCOMPARE(choice->currentText(), QStringLiteral("blk.0.bf16 in other.gguf"));
        QCOMPARE(errors->rowCount(), 10);
        choice->setCurrentIndex(0);
        emit choice->activated(0);
        bench.jobs.runAll();
        QCOMPARE(errors->rowCount(), 0);
    }

    void aPartOfTheNameFindsWhatToCompareWith() {
        const ModelPtr other = mixedModel(7);
        TensorViewBench bench(mixedModel());
        ComparisonChoice* choice = bench.view.comparison();
        choice->setOpenModels([other] { return QList<OtherModel>{{other, QStringLiteral("other.gguf")}}; });
        bench.choose(0);
        choice->completer()->setCompletionPrefix(QStringLiteral("Q4 IN OTHER"));
        QCOMPARE(choice->completer()->currentCompletion(), QStringLiteral("blk.0.q4 in other.gguf"));
        choice->lineEdit()->setText(QStringLiteral("nothing of that kind"));
        emit choice->lineEdit()->editingFinished();
        QCOMPARE(choice->currentText(), choice->itemText(0));
        QVERIFY(!choice->chosen());
    }

    void comparesWithAFile() {
        const QTemporaryDir folder;
        auto tensors = test::sampleTensors();
        const QString original = test::writeSafetensors(folder, QStringLiteral("original.safetensors"), tensors);
        tensors[0].values[4] += 2;             // embed
        tensors[1].shape = {1, 4};             // of layer 0
        tensors[2].name = "layers.1.q.weight"; // of layer 1
        const QString changed = test::writeSafetensors(folder, QStringLiteral("changed.safetensors"), tensors);
        TensorViewBench bench(*formats::open(original.toStdString()));
        const auto tensorNamed = [&](const std::string& name) {
            const auto& all = bench.document.model().tensors;
            return static_cast<std::uint32_t>(std::ranges::find(all, name, &TensorInfo::name) - all.begin());
        };
        const QSignalSpy messages(&bench.view, &HeatMapPanel::message);
        bench.choose(tensorNamed(test::sampleTensors()[0].name));
        bench.view.comparison()->compareWithFile(changed);
        bench.jobs.runAll();
        CellTableModel* errors = bench.table("mapDifference");
        QCOMPARE(errors->cell(2, 1).exact, QStringLiteral("2"));      // the largest
        QCOMPARE(errors->cell(3, 1).shown, QStringLiteral("[1, 1]")); // its place
        QCOMPARE(bench.table("mapTop")->cell(0, 1).exact, QStringLiteral("-2"));
        QCOMPARE(messages.count(), 0);

        bench.choose(tensorNamed(test::sampleTensors()[1].name));
        QCOMPARE(errors->rowCount(), 0); // nothing there to compare with
        QCOMPARE(bench.view.comparison()->currentIndex(), 0);
        bench.view.comparison()->compareWithFile(changed);
        bench.jobs.runAll();
        QCOMPARE(messages.last()[0].toString(),
                 QStringLiteral(
                     "Only tensors with the same shape can be compared: model.layers.0.self_attn.q_proj.weight is 2 × 2 here and "
                     "1 × 4 in changed.safetensors."));
        bench.choose(tensorNamed(test::sampleTensors()[2].name));
        bench.view.comparison()->compareWithFile(changed);
        bench.jobs.runAll();
        QVERIFY(messages.last()[0].toString().startsWith(QStringLiteral("changed.safetensors has no tensor named model.layers.1")));
        QVERIFY(bench.view.comparison()->findText(QStringLiteral("layers.1.q.weight in changed.safetensors")) > 0);
        bench.view.comparison()->compareWithFile(folder.filePath(QStringLiteral("none.safetensors")));
        bench.jobs.runAll();
        QVERIFY(messages.last()[0].toString().contains(QStringLiteral("none.safetensors")));
    }

    void jumpsToTheHundredLargest() {
        TensorViewBench bench(mixedModel());
        bench.choose(0);
        auto* top = bench.view.findChild<CellTableView*>(QStringLiteral("mapTop"));
        QCOMPARE(top->cells()->rowCount(), 100);
        std::vector<double> magnitudes;
        for (std::uint64_t i = 0; i < 64 * 96; ++i) magnitudes.push_back(std::abs(modelValue(bench.document.model(), 0, i)));
        std::ranges::sort(magnitudes, std::ranges::greater());
        for (int row = 0; row < 100; ++row)
            QCOMPARE(std::abs(top->cells()->cell(row, 1).exact.toDouble()), magnitudes[static_cast<std::size_t>(row)]);
        bench.view.findChild<QTabWidget*>(QStringLiteral("mapTables"))->setCurrentWidget(top);
        top->setFocus();
        top->setCurrentIndex(top->cells()->index(0, 0));
        for (int i = 0; i < 60; ++i) QTest::keyClick(top, Qt::Key_Down);
        QTest::keyClick(top, Qt::Key_Return);
        const auto place = *bench.view.picture()->place();
        QCOMPARE(top->cells()->cell(60, 0).shown, QStringLiteral("[%1, %2]").arg(place.row).arg(place.column));
        QCOMPARE(std::abs(modelValue(bench.document.model(), 0, place.row * 96 + place.column)), magnitudes[60]);
    }

    void jumpsToTheLargestRow() {
        TensorViewBench bench(mixedModel());
        bench.choose(0);
        auto* rows = bench.view.findChild<CellTableView*>(QStringLiteral("mapRows"));
        QCOMPARE(rows->cells()->rowCount(), 64);
        QVERIFY(rows->cells()->cell(0, 1).exact.toDouble() >= rows->cells()->cell(1, 1).exact.toDouble());
        emit rows->activated(rows->cells()->index(0, 0));
        QCOMPARE(bench.view.picture()->place()->row, rows->cells()->cell(0, 0).exact.toULongLong());
    }

    void readsNothingWhileHidden() {
        TensorViewBench bench(mixedModel());
        bench.view.hide();
        bench.view.setTensor(0);
        QCOMPARE(bench.jobs.waiting(), 0);
        bench.view.show();
        QVERIFY(bench.jobs.waiting() > 0);
    }

    void saysWhyThereIsNoPicture() {
        auto model = std::make_shared<Model>(*mixedModel());
        model->tensors[0].source.makeUnavailable(Reason("test.empty"), "it is empty");
        TensorViewBench bench(model);
        bench.choose(0);
        QVERIFY(bench.view.picture()->accessibleDescription().contains(QStringLiteral("it is empty")));
    }

    void opensExpertsOfRealModels() {
        WB_NEED_SHARED_QT("arch/qwen3moe/model.gguf");
        for (const auto& [path, dtype] :
             {std::pair{"arch/qwen3moe/model.gguf", Dtype::BF16}, {"arch/gpt-oss/model.gguf", Dtype::MXFP4}}) {
            const auto model = formats::open(std::string(WEIGHBRIDGE_SHARED "/") + path);
            QVERIFY(model);
            const auto found = std::ranges::find_if((*model)->tensors, [wanted = dtype](const TensorInfo& tensor) {
                return tensor.shape.rank() == 3 && tensor.dtype == wanted;
            });
            QVERIFY2(found != (*model)->tensors.end(), path);
            TensorViewBench bench(*model);
            bench.choose(static_cast<std::uint32_t>(found - (*model)->tensors.begin()));
            QVERIFY(bench.view.findChild<QSpinBox*>(QStringLiteral("mapSlice"))->maximum() > 0);
            QVERIFY(bench.view.goTo(QStringLiteral("1, 2, 3")));
            bench.jobs.runAll();
            QVERIFY2(bench.view.picture()->waitForFrame(), qPrintable(bench.view.picture()->unavailableReason()));
            const QString note = bench.view.picture()->sentence();
            QVERIFY2(note.contains(dtype == Dtype::MXFP4 ? QStringLiteral("Code ") : QStringLiteral("Stored as ")),
                     qPrintable(note));
        }
    }

    void tellsHowCodesAreUsed() {
        const ModelPtr model = mixedModel();
        test::ManualJobs jobs;
        test::FakeBackend backend;
        const test::TestServices services(&jobs, {.threads = 1}, &backend);
        Document document(stats::modelContents(model));
        DistributionPanel panel(document, services);
        panel.show();
        panel.setTensor(0);
        jobs.runAll();
        QCOMPARE(panel.findChild<CellTableView*>(QStringLiteral("codes"))->cells()->rowCount(), 16);
        QCOMPARE(panel.findChild<CellTableView*>(QStringLiteral("codeFacts"))->cells()->cell(0, 1).exact, QStringLiteral("5"));
        QCOMPARE(panel.findChild<CellTableView*>(QStringLiteral("distributionBins"))->cells()->rowCount(), 256);
        auto* subject = panel.findChild<QComboBox*>(QStringLiteral("distributionSubject"));
        QCOMPARE(subject->count(), 4);
        for (int i = 0; i < subject->count(); ++i) {
            subject->setCurrentIndex(i);
            QVERIFY(!panel.plot()->sentence().isEmpty());
        }
        subject->setCurrentIndex(1);
        QVERIFY(panel.plot()->sentence().startsWith(QStringLiteral("192 groups from")));
        panel.setTensor(1);
        jobs.runAll();
        QCOMPARE(subject->count(), 1);
    }

    void findsTheOddLayer() {
        stats::Contents contents = test::makeContentsWithStatistics(9);
        std::uint32_t odd = 0;
        for (std::uint32_t i = 0; i < contents.count(); ++i) {
            auto stats = std::make_shared<stats::TensorStats>(*contents.stats[i]);
            stats->std = 1 + 0.01 * contents.facts[i].layer.value_or(0);
            if (contents.tensor(i).name == "blk.4.ffn_down.weight") {
                odd = i;
                stats->std = 9;
            }
            contents.stats[i] = stats;
        }
        Document document(std::move(contents));
        ModelMapPanel panel(document);
        panel.resize(900, 400);
        panel.show();
        auto* table = panel.findChild<CellTableView*>(QStringLiteral("outliers"));
        QCOMPARE(table->cells()->rowCount(), 1);
        QCOMPARE(table->cells()->cell(0, 0).shown, QStringLiteral("ffn_down"));
        auto* view = panel.findChild<ModelMapView*>(QStringLiteral("modelMap"));
        const QSignalSpy chosen(&panel, &ModelMapPanel::tensorChosen);
        emit table->activated(table->cells()->index(0, 0));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toUInt(), odd);
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(chosen.count(), 2);
        QVERIFY(view->accessibleDescription().contains(QStringLiteral("layer 1")));

        const ModelMap map = mapModel(document.contents(), Column::Std, 6);
        const auto line = std::ranges::find(map.lines, QStringLiteral("ffn_down"), &TrendLine::title);
        const QRectF cell = view->cellRect(static_cast<std::size_t>(line - map.lines.begin()), 4);
        QTest::mouseMove(view, cell.center().toPoint());
        QTRY_VERIFY(view->accessibleDescription().contains(QStringLiteral("ffn_down, layer 4: 9")));
        QCOMPARE(view->grab().toImage().pixelColor(cell.center().toPoint()), ModelMapView::cellColor(*line, 9));
        const QImage picture = view->grab().toImage(); // with the legend of its colours along the lower edge
        std::set<QRgb> colors;
        for (int x = 0; x < picture.width(); ++x) colors.insert(picture.pixel(x, picture.height() - 11));
        QVERIFY2(colors.size() > 40, qPrintable(QString::number(colors.size())));
        QTest::mouseClick(view, Qt::LeftButton, {}, cell.center().toPoint());
        QCOMPARE(chosen[2][0].toUInt(), odd);
    }
};

WB_GUI_TEST(TensorViewTest)
#include "tensor_view_test.moc"
