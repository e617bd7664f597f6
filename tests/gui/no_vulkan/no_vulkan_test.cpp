// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/manual_jobs.h"
#include "tests/gui/support/gui_test.h"
#include "tests/gui/support/test_services.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/distribution/distribution_panel.h"
#include "ui/inspect/tables/grid_table_model.h"
#include "ui/inspect/map/heat_map_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>

using namespace wb;
using namespace wb::ui;
using namespace wb::ui::inspect;

namespace {

constexpr std::uint64_t rows = 24, columns = 40;

// One tensor of f32: most of it near zero, and one row that is not.
ModelPtr smallModel() {
    auto model = std::make_shared<Model>();
    TensorInfo& tensor = model->tensors.emplace_back();
    tensor.name = "weight";
    tensor.dtype = Dtype::F32;
    tensor.shape = *Shape::make({rows, columns});
    tensor.source = TensorSource::stored(0, 0, rows * columns * sizeof(float));
    std::vector<float> values(rows * columns);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i / columns == 5 ? 1.0F + static_cast<float>(i % columns) : 0.01F * static_cast<float>(i % 7);
    std::vector<std::byte> bytes(tensor.bytes());
    std::memcpy(bytes.data(), values.data(), bytes.size());
    model->files.push_back({"made.bin", tensor.bytes(), {}, std::make_shared<io::MemorySource>("made.bin", std::move(bytes))});
    return model;
}

} // namespace

// A machine on which no Vulkan driver is installed: the processor draws every plot.
class NoVulkanTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        for (const char* drivers : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) qputenv(drivers, "/nonexistent");
        m_reader = *TensorReader::open(*m_model, m_model->tensors[0]);
    }

    void theHeatMapIsDrawnAndItsTablesAreFull() {
        HeatMapPanel view(m_document, m_services);
        view.resize(1100, 600);
        view.show();
        view.setTensor(0);
        m_jobs.runAll();
        QVERIFY(view.picture()->waitForFrame());
        QVERIFY(view.picture()->isAvailable());
        const QImage painted = view.picture()->picture();
        const int ground = countPixels(painted, view.picture()->palette().color(QPalette::Base));
        QVERIFY2(ground < painted.width() * painted.height() * 3 / 4, qPrintable(QString::number(ground)));
        auto* tables = view.findChild<QTabWidget*>(QStringLiteral("mapTables"));
        QVERIFY2(tables->currentWidget()->objectName() != QStringLiteral("mapValues"), "the picture is there to look at");
        const auto statistics = stats::computeScalar(*m_reader, {});
        const auto cells = [&](const char* name) { return view.findChild<CellTableView*>(QLatin1String(name))->cells(); };
        QCOMPARE(cells("mapTop")->cell(0, 1).exact.toDouble(), stats::asDouble(*statistics->absmax));
        for (int i = 0; i < static_cast<int>(statistics->top.size()); ++i)
            QCOMPARE(cells("mapTop")->cell(i, 1).exact.toDouble(),
                     stats::asDouble(statistics->top[static_cast<std::size_t>(i)].value));
        QCOMPARE(cells("mapRows")->cell(0, 0).exact, QStringLiteral("5"));
        QCOMPARE(cells("mapColumns")->cell(0, 0).exact, QString::number(columns - 1));

        view.findChild<QComboBox*>(QStringLiteral("mapStatistic"))->setCurrentIndex(2); // the values
        QVERIFY(view.goTo(QStringLiteral("5, 12")));
        m_jobs.runAll();
        tables->setCurrentWidget(view.findChild<QTableView*>(QStringLiteral("mapValues")));
        auto* grid = qobject_cast<GridTableModel*>(view.findChild<QTableView*>(QStringLiteral("mapValues"))->model());
        const stats::MatrixRegion seen = view.picture()->viewport().visible();
        QTRY_COMPARE(grid->rowCount(), static_cast<int>(seen.rows));
        const QModelIndex at = grid->index(static_cast<int>(5 - seen.row), static_cast<int>(12 - seen.column));
        QCOMPARE(at.data(Qt::UserRole).toString(), QStringLiteral("13"));
        QVERIFY2(view.picture()->accessibleDescription().startsWith(QStringLiteral("Row 5, column 12: 13")),
                 qPrintable(view.picture()->accessibleDescription()));
    }

    void theDistributionIsDrawn() {
        DistributionPanel panel(m_document, m_services);
        panel.resize(1000, 500);
        panel.show();
        panel.setTensor(0);
        m_jobs.runAll();
        QVERIFY(panel.plot()->waitForFrame());
        QVERIFY(panel.plot()->isAvailable() && panel.plot()->isVisible());

        stats::Options options;
        options.bins = 256;
        const auto statistics = *stats::computeScalar(*m_reader, options);
        CellTableModel* bins = panel.findChild<CellTableView*>(QStringLiteral("distributionBins"))->cells();
        QCOMPARE(bins->rowCount(), 256);
        for (int bin = 0; bin < 256; ++bin)
            QCOMPARE(bins->cell(bin, 2).exact.toULongLong(), quint64{statistics.histogram->counts[static_cast<std::size_t>(bin)]});
        // Nearly all elements lie in the first bins, so the cumulative curve, the only brown there is, runs along the top.
        const QImage image = panel.plot()->picture();
        int curve = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) curve += isBrown(image.pixelColor(x, y));
        QVERIFY2(curve > image.width() / 2, qPrintable(QString::number(curve)));
    }

    void aFailureIsStillTold() {
        auto model = std::make_shared<Model>(*m_model);
        model->tensors[0].source.makeUnavailable(Reason("test.empty"), "it is empty");
        Document document(stats::modelContents(model));
        DistributionPanel panel(document, m_services);
        panel.show();
        panel.setTensor(0);
        m_jobs.runAll();
        const auto labels = panel.findChildren<QLabel*>();
        QVERIFY(
            std::ranges::any_of(labels, [](const QLabel* label) { return label->text().contains(QStringLiteral("it is empty")); }));
    }

private:
    static bool isBrown(const QColor& color) { return color.red() - color.blue() > 60; }
    static int countPixels(const QImage& image, const QColor& color) {
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == color;
        return count;
    }

    const ModelPtr m_model = smallModel();
    std::optional<TensorReader> m_reader;
    test::ManualJobs m_jobs;
    std::unique_ptr<stats::Backend> m_backend = stats::makeCpuBackend();
    std::unique_ptr<stats::MapBackend> m_maps = stats::makeCpuMapBackend(1);
    test::TestServices m_services{&m_jobs, {.threads = 1}, m_backend.get(), m_maps.get()};
    Document m_document{stats::modelContents(m_model)};
};

WB_GUI_TEST(NoVulkanTest)
#include "no_vulkan_test.moc"
