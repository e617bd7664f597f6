// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/plots/color_map.h"
#include "ui/plots/distribution_plot.h"
#include "ui/plots/map_viewport.h"

#include <array>
#include <cmath>
#include <set>

using namespace wb;
using namespace wb::ui;

namespace {

using Linear = std::array<double, 3>;

Linear linearFromPacked(std::uint32_t packed) {
    Linear rgb{};
    for (unsigned i = 0; i < 3; ++i) {
        const double c = (packed >> (8 * i) & 255) / 255.0;
        rgb[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return rgb;
}

double luminance(std::uint32_t packed) {
    const Linear rgb = linearFromPacked(packed);
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

// What someone without the middle or the long cones sees of a colour: F. Viénot, H. Brettel, J. Mollon, "Digital video colourmaps
// for checking the legibility of displays by dichromats" (1999), in linear RGB.
Linear seen(std::uint32_t packed, bool protan) {
    const Linear rgb = linearFromPacked(packed);
    const double a = protan ? 0.11238 : 0.29275, b = protan ? 0.88762 : 0.70725, c = protan ? 0.00401 : -0.02234;
    return {a * rgb[0] + b * rgb[1], a * rgb[0] + b * rgb[1], c * rgb[0] - c * rgb[1] + rgb[2]};
}

double apart(const Linear& a, const Linear& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

} // namespace

class PlotsTest : public QObject {
    Q_OBJECT

private slots:
    void mapsMagnitudesToRisingLight() {
        const ColorTable& table = magnitudeColors();
        QCOMPARE(table.front(), 0xFF000000u);
        QCOMPARE(table.back(), 0xFFFFFFFFu);
        for (std::size_t i = 1; i < table.size(); ++i)
            QVERIFY2(luminance(table[i]) > luminance(table[i - 1]), qPrintable(QString::number(i)));
    }

    void mapsSignsFromBlueToRed() {
        const ColorTable& table = signedColors();
        QCOMPARE(table.front(), 0xFFC04C3Bu); // (59, 76, 192)
        QCOMPARE(table.back(), 0xFF2604B4u);  // (180, 4, 38)
        for (unsigned shift : {0u, 8u, 16u}) QVERIFY(std::abs(int(table[127] >> shift & 255) - 221) <= 3);
        constexpr double rounding = 0.003; // of 8 bits a channel
        for (std::size_t i = 1; i < 127; ++i) QVERIFY(luminance(table[i]) > luminance(table[i - 1]) - rounding);
        for (std::size_t i = 129; i < 256; ++i) QVERIFY(luminance(table[i]) < luminance(table[i - 1]) + rounding);
    }

    void keepsSignsApartForColorBlindEyes() {
        const ColorTable& table = signedColors();
        for (const bool protan : {true, false})
            for (std::size_t i = 0; i < 96; ++i) // well before the common middle
                QVERIFY(apart(seen(table[i], protan), seen(table[255 - i], protan)) > 0.1);
    }

    void reservesColorsForWhatIsNoNumber() {
        for (const std::uint32_t reserved : {nanColor, positiveInfinityColor, negativeInfinityColor})
            for (const ColorTable* table : {&signedColors(), &magnitudeColors()})
                for (const std::uint32_t color : *table) QVERIFY(apart(linearFromPacked(color), linearFromPacked(reserved)) > 0.15);
    }

    void scalesValues() {
        const auto scale = colorScale(true, ValueScale::Linear, 4, 1);
        QCOMPARE(scale.low, -4.0F);
        QCOMPARE(gpu::imview::scaleColor(scale, 4), signedColors().back());
        QCOMPARE(gpu::imview::scaleColor(scale, -9), signedColors().front());
        QCOMPARE(gpu::imview::scaleColor(scale, std::nanf("")), nanColor);
        QCOMPARE(colorScale(false, ValueScale::Clipped, 4, 1).high, 1.0F);
        QCOMPARE(colorScale(false, ValueScale::Clipped, 4, 1).low, 0.0F);
        QCOMPARE(colorScale(false, ValueScale::Linear, 0, 0).high, 1.0F);
    }

    void showsAllOfAMatrixInItsPlace() {
        MapViewport view;
        view.setPixels({0, 0, 800, 400});
        view.setMatrix(400, 400);
        QCOMPARE(view.area().toPixel({0, 0}), glm::dvec2(200, 0));
        QCOMPARE(view.area().toPixel({400, 400}), glm::dvec2(600, 400));
        QCOMPARE(view.visible(), (stats::MatrixRegion{0, 0, 400, 400}));
        view.setMatrix(1, 1'000'000); // a vector is still seen
        QCOMPARE(view.area().toPixel({0, 1}).y - view.area().toPixel({0, 0}).y, MapViewport::minExtent);
        QCOMPARE(view.cellOfPixel(1), 2048u);
    }

    void zoomsAboutAPixelAndStaysInside() {
        MapViewport view;
        view.setPixels({100, 50, 800, 400});
        view.setMatrix(4096, 14'336);
        const glm::dvec2 pixel(300, 200), before = view.area().toPlot(pixel);
        view.zoomAt(pixel, 10);
        QVERIFY(glm::length(view.area().toPlot(pixel) - before) < 1e-6);
        QVERIFY(!view.showsAll());
        view.panBy({1e6, 1e6});
        QCOMPARE(view.visible().row, std::uint64_t{0});
        QCOMPARE(view.visible().column, std::uint64_t{0});
        view.panBy({-1e9, -1e9});
        QCOMPARE(view.visible().row + view.visible().rows, std::uint64_t{4096});
        QCOMPARE(view.visible().column + view.visible().columns, std::uint64_t{14'336});
        view.zoomAt(pixel, 1e9);
        QCOMPARE(view.area().pixelsPerUnit().x, MapViewport::largestElement);
        QCOMPARE(view.cellOfPixel(1), 1u);
        view.zoomAt(pixel, 1e-9);
        QVERIFY(view.showsAll());
    }

    void centresOnAnElement() {
        MapViewport view;
        view.setPixels({0, 0, 640, 480});
        view.setMatrix(1000, 1000);
        view.centreOn(500, 250, 16);
        QCOMPARE(view.area().toPlot({320, 240}), glm::dvec2(250.5, 500.5));
        QCOMPARE(view.visible(), (stats::MatrixRegion{485, 230, 31, 41}));
        const stats::MatrixRegion wide = view.visible(0.5);
        QCOMPARE(wide.columns, std::uint64_t{81});
    }

    void readsADistributionByKeyboard() {
        DistributionPlot plot;
        plot.resize(420, 260);
        plot.setDistribution(Distribution{{-1, 3, {1, 5, 10, 6}}, 1.0, 0.5, {-1, 0, 1}, Counted::Elements});
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("22 elements from -1 to 3"));
        QTest::keyClick(&plot, Qt::Key_Right);
        QTest::keyClick(&plot, Qt::Key_Right);
        QCOMPARE(plot.accessibleDescription(), QStringLiteral("0 to 1: 5 elements (22.7%)"));
        QTest::keyClick(&plot, Qt::Key_End);
        QCOMPARE(plot.currentBin(), 3);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QCOMPARE(plot.currentBin(), -1);
    }

    void drawsEveryFormOfADistribution() {
        DistributionPlot plot;
        plot.resize(420, 260);
        plot.show();
        std::set<QByteArray> pictures;
        for (const bool logCounts : {false, true})
            for (const bool logValues : {false, true})
                for (const bool cumulative : {false, true}) {
                    plot.setLogarithmicCounts(logCounts);
                    plot.setSymmetricLogarithm(logValues);
                    plot.setCumulative(cumulative);
                    plot.setDistribution(Distribution{{-1, 3, {1, 5, 10, 600}}, 1.0, 0.5, {-1, 0, 1}, Counted::Elements});
                    QVERIFY2(plot.waitForFrame(), qPrintable(plot.unavailableReason()));
                    const QImage picture = plot.picture();
                    pictures.insert(QByteArray(reinterpret_cast<const char*>(picture.constBits()), picture.sizeInBytes()));
                }
        QCOMPARE(pictures.size(), std::size_t{8});
        const double most = std::numeric_limits<double>::max();
        for (const stats::Histogram& histogram : {stats::Histogram{2, 2, {22}}, {-most, most, {1, 0, 21}}, {}}) {
            plot.setDistribution(Distribution{histogram, {}, {}, {}, Counted::Codes}, QStringLiteral("nothing"));
            QVERIFY(plot.waitForFrame());
        }
    }
};

WB_GUI_TEST(PlotsTest)
#include "plots_test.moc"
