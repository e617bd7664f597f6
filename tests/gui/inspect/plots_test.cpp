// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/sample_models.h"
#include "tests/gui/support/gui_test.h"
#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/cell_table_model.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/document/glossary.h"
#include "ui/inspect/distribution/histogram.h"
#include "ui/inspect/distribution/histogram_view.h"
#include "ui/widgets/numbers.h"
#include "ui/plots/plot_axis.h"
#include "ui/inspect/metadata/problems_panel.h"
#include "ui/plots/series_colors.h"
#include "ui/inspect/tables/tensor_tables.h"
#include "ui/inspect/tensors/totals.h"
#include "ui/inspect/spectrum/spectrum_plot.h"
#include "ui/inspect/trend/trend_view.h"
#include "ui/shell/picture_actions.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/plain_text.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>

#include <cmath>
#include <limits>
#include <set>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

stats::StatsPtr histogramStats(const stats::Histogram& histogram) {
    auto stats = std::make_shared<stats::TensorStats>();
    stats->histogram = histogram;
    stats->finite = 22;
    stats->mean = 1;
    stats->std = 0.5;
    return stats;
}

int differentPixels(QWidget& view) {
    const QImage image = view.grab().toImage();
    std::set<QRgb> colors;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
    return static_cast<int>(colors.size());
}

// Contrast of WCAG 2.1.
double luminance(const QColor& color) {
    const auto channel = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double high = std::max(luminance(a), luminance(b));
    return (high + 0.05) / (std::min(luminance(a), luminance(b)) + 0.05);
}

} // namespace

class PlotsTest : public QObject {
    Q_OBJECT

private slots:
    void choosesRoundTicks() {
        QCOMPARE(niceTicks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
        QCOMPARE(niceTicks(-0.13, 0.12, 3), (std::vector<double>{-0.1, 0, 0.1}));
        QVERIFY(niceTicks(3, 3, 5).empty());
        QVERIFY(niceTicks(0, std::numeric_limits<double>::infinity(), 5).empty());
    }

    void mapsRangesThatOverflow() {
        const double most = std::numeric_limits<double>::max();
        const PlotAxis axis{-most, most, 0, 100};
        QCOMPARE(axis.pixel(0), 50.0);
        QCOMPARE(axis.value(100), most);
        QCOMPARE((PlotAxis{2, 2, 0, 100}.pixel(2)), 50.0);
    }

    void namesBins() {
        const stats::Histogram histogram{-1, 3, {1, 5, 10, 6}};
        QCOMPARE(binRange(histogram, 0), (std::pair{-1.0, 0.0}));
        QCOMPARE(binRange(histogram, 3), (std::pair{2.0, 3.0}));
        const stats::StatsPtr stats = histogramStats(histogram);
        QCOMPARE(binSentence(*stats, 1, Counted::Elements), QStringLiteral("0 to 1: 5 elements (22.7%)"));
        QVERIFY(histogramSentence(*stats, Counted::Elements).contains(QStringLiteral("fullest bin is 1 to 2")));
    }

    void readsBinsByKeyboard() {
        HistogramView view;
        view.setStatistics(histogramStats({-1, 3, {1, 5, 10, 6}}));
        view.resize(400, 200);
        QVERIFY(view.accessibleDescription().startsWith(QStringLiteral("Histogram of 22")));
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.currentBin(), 1);
        QCOMPARE(view.accessibleDescription(), QStringLiteral("0 to 1: 5 elements (22.7%)"));
        QTest::keyClick(&view, Qt::Key_End);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.currentBin(), 3);
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(view.currentBin(), -1);
    }

    void readsBinsByMouse() {
        HistogramView view;
        view.resize(400, 200);
        view.setStatistics(histogramStats({-1, 3, {1, 5, 10, 6}}));
        view.show();
        QTest::mouseMove(&view, QPoint(385, 100));
        QTRY_COMPARE(view.currentBin(), 3);
    }

    void paintsEveryKindOfHistogram() {
        const double most = std::numeric_limits<double>::max();
        for (const stats::Histogram& histogram : {stats::Histogram{-1, 3, {1, 5, 10, 6}}, {2, 2, {22}}, {-most, most, {1, 0, 21}}})
            for (const bool logarithmic : {false, true}) {
                HistogramView view;
                view.resize(400, 200);
                view.setStatistics(histogramStats(histogram));
                view.setLogarithmic(logarithmic);
                QVERIFY(differentPixels(view) > 4);
            }
        HistogramView empty;
        empty.resize(400, 200);
        QCOMPARE(differentPixels(empty), 1);
        empty.setStatistics(std::make_shared<stats::TensorStats>());
        QVERIFY(differentPixels(empty) > 1); // the reason is written there
    }

    void gathersTrends() {
        const stats::Contents contents = test::makeContentsWithStatistics(3);
        const auto byPart = computeTrend(contents, Column::Max, TrendGrouping::Part);
        QCOMPARE(byPart.size(), std::size_t{9});
        const auto byRole = computeTrend(contents, Column::Max, TrendGrouping::Role);
        QCOMPARE(byRole.size(), std::size_t{3});
        for (const TrendLine& line : byRole) QCOMPARE(line.points.size(), std::size_t{3});
        const TrendPoint& point = byRole[0].points[0]; // attention of layer 0: tensors 20 to 23
        QCOMPARE(point.tensors, 4U);
        QCOMPARE(point.value, 23.5);
        QCOMPARE(point.tensor, 23U);
        QVERIFY(computeTrend(test::makeContents(3), Column::Max, TrendGrouping::Part).empty());
    }

    void opensTheTensorOfATrendPoint() {
        TrendView view;
        view.resize(600, 220);
        view.setTrend(QStringLiteral("Max"), computeTrend(test::makeContentsWithStatistics(4), Column::Max, TrendGrouping::Role),
                      {});
        QVERIFY(differentPixels(view) > 10);
        const QSignalSpy chosen(&view, &TrendView::tensorChosen);
        for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Return}) QTest::keyClick(&view, key);
        QCOMPARE(chosen.count(), 1);
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("layer 1")));
    }

    // A click in the legend and the space bar hide a line. The axes fit the other lines, and the accessible description tells.
    void hidesLinesOfATrend() {
        TrendView view;
        view.resize(600, 220);
        const auto lines = computeTrend(test::makeContentsWithStatistics(4), Column::Max, TrendGrouping::Role);
        view.setTrend(QStringLiteral("Max"), lines, {});
        const auto highest = static_cast<std::size_t>(
            std::ranges::max_element(lines, {}, [](const TrendLine& line) { return line.points.back().value; }) - lines.begin());
        const QString all = view.accessibleDescription();
        const auto clickLegend = [&view](std::size_t line) {
            QTest::mouseClick(&view, Qt::LeftButton, {}, view.legendEntry(line).center().toPoint());
        };
        const QSignalSpy chosen(&view, &TrendView::tensorChosen);
        clickLegend(highest);
        QVERIFY(view.isHidden(highest));
        QCOMPARE(chosen.count(), 0);
        view.setTrend(QStringLiteral("Max"), lines, {});
        QVERIFY2(view.isHidden(highest), "another statistic keeps it hidden");
        QVERIFY(view.accessibleDescription() != all);
        clickLegend(highest);
        QVERIFY(!view.isHidden(highest));
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(view.accessibleDescription(), all);
        for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Space}) QTest::keyClick(&view, key);
        QVERIFY(view.isHidden(1));
        QVERIFY2(view.accessibleDescription().startsWith(lines[1].title + QStringLiteral(" is hidden")),
                 qPrintable(view.accessibleDescription()));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(&view, Qt::Key_Space);
        QVERIFY(view.hiddenLines().isEmpty());
        for (const std::size_t line : {0u, 1u, 2u}) clickLegend(line);
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY2(view.accessibleDescription().startsWith(QStringLiteral("All lines are hidden")),
                 qPrintable(view.accessibleDescription()));
        QVERIFY(differentPixels(view) > 10);
    }

    void addsUpTotals() {
        const stats::Contents contents = test::makeContents(2);
        for (const auto& totals : {totalsByType(contents), totalsByRole(contents)}) {
            double share = 0;
            quint64 bytes = 0;
            for (const Total& total : totals) {
                share += total.share;
                bytes += total.bytes;
                QVERIFY(!total.explanation.isEmpty());
            }
            QVERIFY(std::abs(share - 1) < 1e-9);
            QCOMPARE(bytes, quint64{contents.totalBytes});
            QVERIFY(std::ranges::is_sorted(totals, std::ranges::greater(), &Total::bytes));
        }
        QCOMPARE(totalsByType(contents).size(), std::size_t{4});
    }

    void listsTheNumbersOfAPlot() {
        const stats::Contents contents = test::makeContentsWithStatistics(2);
        CellTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto show = [&](const TableContent& table) { model.setTable(table.headers, table.rows); };
        show(scalarTable(*contents.stats[3]));
        QCOMPARE(model.rowCount(), 15);
        QCOMPARE(model.cell(14, 1).shown, QStringLiteral("cpu"));
        show(histogramTable(*contents.stats[3]->histogram));
        QCOMPARE(model.rowCount(), 5);
        show(topTable(contents.stats[3]->top, contents.tensor(3).shape, contents.stats[3].get()));
        QCOMPARE(model.cell(0, 0).shown, QStringLiteral("[0, 3]"));
        QCOMPARE(model.cell(0, 1).exact, QStringLiteral("5"));
        show(trendTable(computeTrend(contents, Column::Std, TrendGrouping::Part)));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.columnCount(), 10);
        show(percentileTable(*contents.stats[3])); // there are none
        QCOMPARE(model.rowCount(), 0);
    }

    // Where the room does not suffice the table is scrolled.
    void numbersOfATableAreNeverCut() {
        CellTableView view(QStringLiteral("Block"));
        view.resize(120, 200);
        view.show();
        Cell number;
        number.shown = number.exact = QStringLiteral("123456.789");
        number.number = true;
        view.setTable({{QStringLiteral("Element"), QStringLiteral("Code"), QStringLiteral("Value")}, {{number, number, number}}});
        for (int column = 0; column < 3; ++column)
            QVERIFY(view.columnWidth(column) >= view.fontMetrics().horizontalAdvance(number.shown) + 2 * CellDelegate::padding);
        view.resize(900, 200);
        QTRY_COMPARE(view.horizontalHeader()->length(), view.viewport()->width());
    }

    // Of a table without room words are cut, with an ellipsis, and numbers are not.
    void wordsGiveWayToNumbers() {
        CellTableView view(QStringLiteral("Statistics"));
        Cell number, word;
        number.shown = number.exact = QStringLiteral("28,311,552");
        number.number = true;
        word.shown = QStringLiteral("Root mean square of all elements");
        view.setTable({{QStringLiteral("Statistic"), QStringLiteral("Value")}, {{word, number}}});
        view.show();
        for (const int width : {220, 260, 400}) {
            view.resize(width, 200);
            QTRY_COMPARE(view.horizontalHeader()->length(), view.viewport()->width());
            QVERIFY(view.columnWidth(1) >= view.fontMetrics().horizontalAdvance(number.shown) + 2 * CellDelegate::padding);
        }
    }

    // A table with hidden columns has a mark at its right edge.
    void hiddenColumnsAreMarked() {
        QTableWidget table(2, 6);
        table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
        table.resize(200, 150);
        table.show();
        auto* const mark = table.findChild<QWidget*>(QStringLiteral("edgeMark"));
        QVERIFY(mark);
        QTRY_VERIFY(mark->isVisible());
        QCOMPARE(mark->geometry().right(), table.viewport()->geometry().right());
        QVERIFY(mark->testAttribute(Qt::WA_TransparentForMouseEvents));
        table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
        QVERIFY(!mark->isVisible());
        table.horizontalScrollBar()->setValue(0);
        QVERIFY(mark->isVisible());
        table.resize(1200, 150);
        QTRY_VERIFY(!mark->isVisible());
    }

    // An SVG keeps words as words, so that it shows which titles and legends a plot has.
    void plotsAreSavedWithTheirTitles() {
        const QTemporaryDir folder;
        const auto saved = [&](QWidget& plot) {
            plot.resize(700, 300);
            const QString svg = folder.filePath(QStringLiteral("plot.svg")), png = folder.filePath(QStringLiteral("plot.png"));
            if (!savePlot(&plot, svg) || !savePlot(&plot, png)) return QString();
            QFile file(svg);
            if (!file.open(QIODevice::ReadOnly) || QImage(png).size() != plot.size()) return QString();
            return QString::fromUtf8(file.readAll());
        };
        HistogramView histogram;
        histogram.setStatistics(histogramStats({-2, 2, {1, 20, 1}}));
        const QString bars = saved(histogram);
        for (const char* word : {"<svg", ">Elements<", ">Value<", "multiples of"})
            QVERIFY2(bars.contains(QLatin1String(word)), qPrintable(QLatin1String(word) + bars.left(3000)));
        SpectrumPlot spectrum;
        auto values = std::make_shared<stats::Spectrum>();
        values->singularValues = {8, 4, 2};
        values->spectralNorm = 8;
        values->isComplete = true;
        values->tail = stats::PowerLaw{.alpha = 2, .lambdaMin = 4, .values = 3};
        spectrum.setSpectrum(values);
        const QString curve = saved(spectrum);
        for (const char* word : {">Singular value<", ">Rank<", ">Power law fitted to the tail<"})
            QVERIFY2(curve.contains(QLatin1String(word)), qPrintable(QLatin1String(word) + curve.left(3000)));
        QVERIFY(!savePlot(&histogram, folder.filePath(QStringLiteral("none/plot.svg"))));
    }

    void tellsWhereNumbersWereComputed() {
        stats::TensorStats stats;
        stats.deviceNote = makeProblem(Severity::Warning, "device.failed", {}, std::nullopt, "The device {} is gone.", "X");
        const Cell cell = scalarTable(stats).rows.back().at(1);
        QCOMPARE(cell.shown, QStringLiteral("cpu"));
        QCOMPARE(cell.toolTip, QStringLiteral("The device X is gone."));
        QCOMPARE(cell.exact, QStringLiteral("cpu: The device X is gone."));
        QVERIFY(cell.severity == Severity::Warning);
    }

    void tellsProblemsWithTheirPlace() {
        const ModelPtr sample = test::makeModel(1);
        CellTableModel model;
        const TableContent table = problemTable(sample->problems);
        model.setTable(table.headers, table.rows);
        QCOMPARE(model.cell(0, problemSentence).shown, QStringLiteral("There is a gap of 32 bytes."));
        QCOMPARE(asTsv({model.index(0, problemSentence)}),
                 QStringLiteral("Warning: There is a gap of 32 bytes. (Sample-1B-Instruct-2507.gguf, byte 1,024)"));
        ProblemsPanel panel(sample->problems);
        panel.resize(200, 300);
        QVERIFY(differentPixels(panel) > 4);
    }

    void copiesExactValuesAsTable() {
        CellTableModel model;
        Cell number;
        number.shown = QStringLiteral("1,234");
        number.exact = QStringLiteral("1234");
        Cell label;
        label.shown = QStringLiteral("two\nlines\tand a tab");
        model.setTable({QStringLiteral("a"), QStringLiteral("b")}, {{label, number}, {number, label}});
        QCOMPARE(asTsv({model.index(1, 0), model.index(0, 1), model.index(0, 0)}),
                 QStringLiteral("two lines and a tab\t1234\n1234"));
    }

    void explainsEveryTypeAndRole() {
        std::set<QString> sentences;
        for (const DtypeInfo& row : allDtypes()) {
            const QString sentence = dtypeExplanation(row.dtype);
            QVERIFY2(sentence.startsWith(QLatin1String(row.name) + QLatin1Char(':')), row.name);
            QVERIFY2(sentence.endsWith(QLatin1Char('.')), row.name);
            sentences.insert(sentence);
        }
        QCOMPARE(sentences.size(), allDtypes().size());
        for (int role = 0; role <= static_cast<int>(arch::Role::Other); ++role) {
            QVERIFY(!roleTitle(static_cast<arch::Role>(role)).isEmpty());
            QVERIFY(roleExplanation(static_cast<arch::Role>(role)).endsWith(QLatin1Char('.')));
        }
    }

    void statesTheBitsOfBlockTypesCorrectly() {
        for (const DtypeInfo& row : allDtypes()) {
            if (row.kind != DtypeKind::Block) continue;
            const QString bits = QString::number(8.0 * row.blockBytes / row.blockElements);
            QVERIFY2(dtypeExplanation(row.dtype).contains(QStringLiteral(" %1 bits per weight").arg(bits)), row.name);
        }
    }

    void writesNumbers() {
        QCOMPARE(shownNumber(-0.0), QStringLiteral("-0"));
        QCOMPARE(shownNumber(0.000123456789), QStringLiteral("0.000123457"));
        QCOMPARE(exactNumber(0.1), QStringLiteral("0.1"));
        QCOMPARE(shownNumber(stats::Element(std::int64_t{1} << 60)), QStringLiteral("1,152,921,504,606,846,976"));
        QCOMPARE(shownPercent(0.00001), QStringLiteral("< 0.1%"));
        QCOMPARE(shownPercent(0), QStringLiteral("0.0%"));
        QCOMPARE(bytesText(1536), QStringLiteral("1.50 KiB"));
        QCOMPARE(shownShortCount(8'030'000'000), QStringLiteral("8.03 B"));
        QCOMPARE(shownOptional(std::optional<double>()), QStringLiteral("–"));
        QCOMPARE(exactOptional(std::optional<double>()), QString());
    }

    void neverReadsFileTextAsMarkup() {
        QVERIFY(!ui::plainText(QStringLiteral("<img src=x>")).contains(QStringLiteral("<img")));
        QCOMPARE(ui::plainText(QStringLiteral("blk.0 < 3")), QStringLiteral("blk.0 < 3"));
    }

    void keepsSeriesVisibleInBothThemes() {
        for (const bool dark : {false, true})
            for (const QColor& color : seriesColors(dark))
                QVERIFY2(contrast(color, ui::themeColors(dark).surface) >= 3, qPrintable(color.name()));
        QVERIFY(seriesDash(0) != seriesDash(10));
    }
};

WB_GUI_TEST(PlotsTest)

#include "plots_test.moc"
#include "ui/widgets/plain_text.h"
