// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/plots/heat_map.h"

#include <QSignalSpy>
#include <QWheelEvent>

#include <cmath>
#include <limits>

using namespace wb;
using namespace wb::ui;

namespace {

// A tensor of f32 in memory, with everything a heat map asks for.
struct Tensor {
    Tensor(std::uint64_t rows, std::uint64_t columns, std::vector<float> values) : matrix{0, rows, columns} {
        std::vector<std::byte> bytes(values.size() * sizeof(float));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        Model model;
        TensorInfo info;
        info.dtype = Dtype::F32;
        info.shape = *Shape::make({rows, columns});
        info.source = TensorSource::stored(0, 0, bytes.size());
        model.files.push_back({"made.bin", bytes.size(), {}, std::make_shared<io::MemorySource>("made.bin", std::move(bytes))});
        reader = *TensorReader::open(model, info);
        map = std::make_shared<const stats::TensorMap>(*stats::makeCpuMapBackend(1)->build({&*reader}, matrix, {}));
    }

    // Answers the heat map's questions at once.
    void serve(HeatMap& view) const {
        QObject::connect(&view, &HeatMap::detailWanted, &view, [this, &view](const stats::MatrixRegion& region, quint32 cell) {
            view.setDetail(std::make_shared<const stats::MapGrid>(*stats::readGrid({&*reader}, matrix, region, cell, {})));
        });
    }

    stats::Matrix matrix;
    std::optional<TensorReader> reader;
    std::shared_ptr<const stats::TensorMap> map;
};

QColor colorAt(HeatMap& view, double row, double column) {
    const glm::dvec2 pixel = view.viewport().area().toPixel({column + 0.5, row + 0.5});
    return view.picture().pixelColor(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
}

// The shader may take the neighbouring entry of the colours where a value lies between two.
bool near(const QColor& color, std::uint32_t packed) {
    return std::abs(color.red() - int(packed & 255)) <= 4 && std::abs(color.green() - int(packed >> 8 & 255)) <= 4 &&
           std::abs(color.blue() - int(packed >> 16 & 255)) <= 4;
}

std::uint32_t packed(QRgb color) {
    return 0xff000000 | static_cast<std::uint32_t>(qBlue(color)) << 16 | static_cast<std::uint32_t>(qGreen(color)) << 8 |
           static_cast<std::uint32_t>(qRed(color));
}

std::vector<float> ramp(std::uint64_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / static_cast<float>(count) - 0.5F;
    return values;
}

} // namespace

class HeatMapTest : public QObject {
    Q_OBJECT

private slots:
    void colorsElementsByTheirValue() {
        const Tensor tensor(2, 3, {-2, -1, 0, 1, 2, std::nanf("")});
        HeatMap view;
        view.resize(600, 400);
        tensor.serve(view);
        view.setStatistic(MapStatistic::Value);
        view.setMap(tensor.map);
        view.show();
        QVERIFY2(view.waitForFrame(), qPrintable(view.unavailableReason()));
        const auto scale = colorScale(true, ValueScale::Linear, 2, 0);
        const float values[] = {-2, -1, 0, 1, 2};
        for (int i = 0; i < 5; ++i)
            QVERIFY2(near(colorAt(view, i / 3 - 0.4, i % 3 - 0.4), gpu::imview::scaleColor(scale, values[i])),
                     qPrintable(QString::number(i)));
        QVERIFY(near(colorAt(view, 0.6, 1.6), nanColor));
        view.setStatistic(MapStatistic::Largest);
        QVERIFY(view.waitForFrame());
        const auto magnitudes = colorScale(false, ValueScale::Linear, 2, 0);
        QVERIFY(near(colorAt(view, -0.4, -0.4), gpu::imview::scaleColor(magnitudes, 2)));
        QVERIFY(near(colorAt(view, -0.4, 0.6), gpu::imview::scaleColor(magnitudes, 1)));
        view.setScale(ValueScale::SymmetricLog, 0);
        QVERIFY(view.waitForFrame());
        QVERIFY(near(colorAt(view, -0.4, 0.6), gpu::imview::scaleColor(colorScale(false, ValueScale::SymmetricLog, 2, 0), 1)));
    }

    void colorsCellsOfTheOverview() {
        std::vector<float> values(2048 * 4096, 0.5F);
        for (std::size_t row = 1024; row < 2048; ++row) values[row * 4096 + 3000] = 4; // one outlier channel, half way down
        const Tensor tensor(2048, 4096, values);
        HeatMap view;
        view.resize(800, 500);
        view.setMap(tensor.map);
        view.show();
        QVERIFY(view.waitForFrame());
        const auto scale = colorScale(false, ValueScale::Linear, 4, 0);
        QVERIFY(near(colorAt(view, 1500, 3004),
                     gpu::imview::scaleColor(scale, 4))); // the middle of its cell: a maximum is not averaged away
        QVERIFY(near(colorAt(view, 500, 3000), gpu::imview::scaleColor(scale, 0.5F)));
        view.setStatistic(MapStatistic::Rms);
        QVERIFY(view.waitForFrame());
        QVERIFY(near(colorAt(view, 500, 100), gpu::imview::scaleColor(scale, 0.5F)));
    }

    void isDrivenByKeyboard() {
        const Tensor tensor(512, 512, ramp(512 * 512));
        HeatMap view;
        view.resize(700, 500);
        tensor.serve(view);
        view.setMap(tensor.map);
        QVERIFY(view.viewport().showsAll());
        for (int i = 0; i < 12; ++i) QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(!view.viewport().showsAll());
        const auto before = view.viewport().visible();
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(view.viewport().visible().column > before.column);
        QVERIFY(view.viewport().visible().row > before.row);
        QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
        const auto place = *view.place();
        QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(view.place()->column, place.column + 1);
        QVERIFY(view.accessibleDescription().startsWith(QStringLiteral("Row %1, column %2:").arg(place.row).arg(place.column + 1)));
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(view.viewport().showsAll());
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.place());
    }

    void isDrivenByMouse() {
        const Tensor tensor(512, 512, ramp(512 * 512));
        HeatMap view;
        view.resize(700, 500);
        tensor.serve(view);
        view.setMap(tensor.map);
        view.show();
        const QPointF middle(350, 250);
        QWheelEvent wheel(middle, middle, {}, {0, 1200}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &wheel);
        QVERIFY(!view.viewport().showsAll());
        const glm::dvec2 before = view.viewport().area().toPlot({350, 250});
        QTest::mousePress(&view, Qt::LeftButton, {}, {350, 250});
        QTest::mouseMove(&view, {330, 240});
        QTRY_VERIFY(glm::length(view.viewport().area().toPlot({330, 240}) - before) < 1e-6); // the element stays under the hand
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {330, 240});
        QTRY_VERIFY(view.place());
        QCOMPARE(view.place()->column, static_cast<quint64>(before.x));
        QCOMPARE(view.place()->row, static_cast<quint64>(before.y));
    }

    void asksForANearerLookOnce() {
        const Tensor tensor(4096, 4096, ramp(4096 * 4096));
        HeatMap view;
        view.resize(700, 500);
        view.setMap(tensor.map);
        QSignalSpy wanted(&view, &HeatMap::detailWanted);
        view.goTo(100, 200);
        QCOMPARE(wanted.count(), 1);
        const auto region = wanted[0][0].value<stats::MatrixRegion>();
        QCOMPARE(wanted[0][1].toUInt(), 1U);
        QCOMPARE(region, (stats::MatrixRegion{64, 128, 64, 128})); // what is seen, and a margin
        QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(view.place()->column, quint64{201});
        view.fit();
        QCOMPARE(wanted.count(), 1); // the overview is enough
        QCOMPARE(view.shownGrid()->cell, 16U);
    }

    // Dragged step by step, the picture is always that of the matrix, whatever part of it was kept, read or not yet answered.
    void staysRightWhileItMoves() {
        const Tensor tensor(2048, 2048, ramp(2048 * 2048));
        HeatMap view;
        view.resize(700, 500);
        tensor.serve(view);
        view.setStatistic(MapStatistic::Value);
        view.setMap(tensor.map);
        view.show();
        for (int i = 0; i < 8; ++i) QTest::keyClick(&view, Qt::Key_Plus); // one element a pixel, nearly
        QSignalSpy wanted(&view, &HeatMap::detailWanted);
        const auto scale = colorScale(true, ValueScale::Linear, tensor.map->absmax, 0);
        const auto expected = [&](std::uint64_t row) {
            return gpu::imview::scaleColor(scale, static_cast<float>(row) / 2048 - 0.5F);
        };
        for (int step = 0; step < 12; ++step) {
            QTest::keyClick(&view, step % 3 == 2 ? Qt::Key_Right : Qt::Key_Down);
            QVERIFY(view.waitForFrame());
            const stats::MatrixRegion seen = view.viewport().visible();
            QVERIFY(view.shownGrid()->cell < 8);
            for (const std::uint64_t row : {seen.row + 2, seen.row + seen.rows / 2, seen.row + seen.rows - 3})
                for (const std::uint64_t column : {seen.column + 2, seen.column + seen.columns - 3})
                    QVERIFY2(near(colorAt(view, static_cast<double>(row), static_cast<double>(column)), expected(row)),
                             qPrintable(QString::number(step)));
        }
        QVERIFY(wanted.count() > 2);
        QVERIFY(wanted.count() < 12);
    }

    void isTheSameWithoutADevice() {
        const auto none = std::make_shared<gpu::imview::Renderer>([]() -> Result<std::shared_ptr<gpu::Device>> {
            return fail(ErrorCode::Unsupported, Reason("test.failure"), "No device can draw here.");
        });
        const Tensor tensor(16, 16, ramp(256));
        HeatMap view(nullptr, none), other;
        for (HeatMap* each : {&view, &other}) {
            each->resize(700, 500);
            tensor.serve(*each);
            each->setMap(tensor.map);
            each->show();
            QVERIFY2(each->waitForFrame(), qPrintable(each->unavailableReason()));
        }
        const QImage mine = view.picture(), theirs = other.picture();
        for (int y = 0; y < mine.height(); ++y)
            for (int x = 0; x < mine.width(); ++x)
                QVERIFY2(near(mine.pixelColor(x, y), packed(theirs.pixel(x, y))),
                         qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
        QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(view.accessibleDescription().startsWith(QStringLiteral("Row 8, column 9: ")));
    }

    void waitsForItsMap() {
        HeatMap view;
        view.resize(700, 500);
        view.setMap(nullptr, QStringLiteral("Reading"));
        QCOMPARE(view.accessibleDescription(), QStringLiteral("Reading"));
        view.goTo(3, 4);
        QVERIFY(!view.place());
        const Tensor tensor(16, 16, ramp(256));
        view.setMap(tensor.map);
        QCOMPARE(view.place()->row, quint64{3});
        view.setNote(3, 4, {QStringLiteral("Scale 2")});
        QVERIFY(view.accessibleDescription().endsWith(QStringLiteral("Scale 2")));
    }
};

WB_GUI_TEST(HeatMapTest)
#include "heat_map_test.moc"
