// SPDX-License-Identifier: MIT
#include "tests/gui/support/gui_test.h"
#include "ui/widgets/imgui/plot_drawing.h"

#include <cmath>
#include <limits>
#include <vector>

namespace wb::test {
namespace {

using ui::PlotArea;

void comparePoints(glm::dvec2 found, glm::dvec2 expected) {
    QCOMPARE(found.x, expected.x);
    QCOMPARE(found.y, expected.y);
}

// A draw list outside of a frame, with what it needs of a context.
class LooseList {
public:
    LooseList() : m_context(ImGui::CreateContext()), m_list(ImGui::GetDrawListSharedData()) {
        ImGui::GetIO().Fonts->Build();
        m_list._ResetForNewFrame();
        m_list.PushClipRect({-1000, -1000}, {1000, 1000});
        m_list.PushTextureID({});
    }
    ~LooseList() {
        m_list._ClearFreeMemory();
        ImGui::DestroyContext(m_context);
    }

    ImDrawList* operator->() { return &m_list; }
    ImDrawList& operator*() { return m_list; }

private:
    ImGuiContext* m_context;
    ImDrawList m_list;
};

} // namespace

class PlotAreaTest : public QObject {
    Q_OBJECT

private slots:
    void pixelsAndPlotAgree() {
        const PlotArea area{QRectF(10, 20, 200, 100), {100, 0}, {300, 50}};
        comparePoints(area.toPixel({100, 0}), {10, 20});
        comparePoints(area.toPixel({300, 50}), {210, 120});
        comparePoints(area.toPlot({110, 70}), {200, 25});
        PlotArea chart = area;
        chart.flipped = true;
        comparePoints(chart.toPixel({100, 0}), {10, 120});
        comparePoints(chart.toPlot({10, 20}), {100, 50});
    }

    void zoomingKeepsThePointUnderTheMouse() {
        for (const bool flipped : {false, true}) {
            PlotArea area{QRectF(10, 20, 200, 100), {0, 0}, {4096, 14336}, flipped};
            const glm::dvec2 mouse(77, 43), under = area.toPlot(mouse);
            area.zoomAt(mouse, {8, 2});
            const glm::dvec2 after = area.toPlot(mouse);
            QVERIFY(std::abs(after.x - under.x) < 1e-6 && std::abs(after.y - under.y) < 1e-6);
            QCOMPARE(area.high.x - area.low.x, 512.0);
            QCOMPARE(area.high.y - area.low.y, 7168.0);
        }
    }

    void panningFollowsTheHand() {
        for (const bool flipped : {false, true}) {
            PlotArea area{QRectF(0, 0, 100, 100), {0, 0}, {10, 10}, flipped};
            const glm::dvec2 held = area.toPlot({50, 50});
            area.panBy({20, -10});
            const glm::dvec2 now = area.toPixel(held);
            QVERIFY(std::abs(now.x - 70) < 1e-9 && std::abs(now.y - 40) < 1e-9);
        }
    }

    void theWorldIsNotLeft() {
        PlotArea area{QRectF(0, 0, 100, 100), {-50, 90}, {-20, 130}};
        area.keepWithin({0, 0}, {100, 100}, {1, 1});
        comparePoints(area.low, {0, 60});
        comparePoints(area.high, {30, 100});
        area.low = {-500, -500};
        area.high = {900, 900};
        area.keepWithin({0, 0}, {100, 100}, {1, 1});
        comparePoints(area.low, {0, 0});
        comparePoints(area.high, {100, 100});
        area.low = {50, 50};
        area.high = {50.001, 50.001};
        area.keepWithin({0, 0}, {100, 100}, {4, 4});
        QVERIFY(std::abs(area.high.x - area.low.x - 4) < 1e-9);
    }

    void deepInOnlyTheVisiblePartOfAnImageIsDrawn() {
        LooseList list;
        const PlotArea area{QRectF(0, 0, 100, 100), {1'000'000.25, 500}, {1'000'001.25, 501}};
        ui::drawImage(*list, area, 7, {0, 0}, {2'000'000, 1000});
        QCOMPARE(list->VtxBuffer.Size, 4);
        QCOMPARE(list->VtxBuffer[0].pos.x, 0.0f);
        QCOMPARE(list->VtxBuffer[2].pos.x, 100.0f);
        QCOMPARE(list->VtxBuffer[0].uv.y, 0.5f);
        list->VtxBuffer.resize(0);
        ui::drawImage(*list, area, 7, {0, 0}, {10, 10});
        QCOMPARE(list->VtxBuffer.Size, 0);
    }

    void manyPointsAreThinnedAndKeepTheirExtremes() {
        std::vector<glm::dvec2> points;
        for (int at = 0; at < 100'000; ++at) points.push_back({at, at == 54'321 ? 9.0 : at % 2});
        LooseList list;
        ui::drawLine(*list, {QRectF(0, 0, 100, 100), {0, 0}, {100'000, 10}, true}, points, 0xffffffff, 1);
        QVERIFY(list->VtxBuffer.Size > 300);
        QVERIFY(list->VtxBuffer.Size < 4000);
        float top = 100;
        for (const ImDrawVert& vertex : list->VtxBuffer) top = std::min(top, vertex.pos.y);
        QVERIFY(std::abs(top - 10) < 3);
    }

    void linesBreakWhereThereIsNoValue() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        const std::vector<glm::dvec2> points = {{0, 1}, {30, 1}, {50, none}, {70, 1}, {99, 1}};
        LooseList whole, broken;
        ui::drawLine(*whole, {QRectF(0, 0, 100, 100), {0, 0}, {100, 2}}, std::vector<glm::dvec2>{{0, 1}, {99, 1}}, 0xffffffff, 1);
        ui::drawLine(*broken, {QRectF(0, 0, 100, 100), {0, 0}, {100, 2}}, points, 0xffffffff, 1);
        QCOMPARE(broken->VtxBuffer.Size, 2 * whole->VtxBuffer.Size);
        for (const ImDrawVert& vertex : broken->VtxBuffer) QVERIFY(vertex.pos.x < 32 || vertex.pos.x > 68);
    }

    void narrowBarsShowTheHighestOfThePixel() {
        std::vector<double> edges, heights;
        for (int bar = 0; bar < 10'000; ++bar) {
            edges.push_back(bar);
            heights.push_back(bar == 5'050 ? 8 : 1);
        }
        edges.push_back(10'000);
        LooseList list;
        ui::drawBars(*list, {QRectF(0, 0, 100, 100), {0, 0}, {10'000, 10}, true}, edges, heights, 0xffffffff, 0);
        QVERIFY(list->VtxBuffer.Size <= 4 * 101);
        float top = 100;
        for (const ImDrawVert& vertex : list->VtxBuffer) top = std::min(top, vertex.pos.y);
        QCOMPARE(top, 20.0f);
    }
};

WB_GUI_TEST(PlotAreaTest)

} // namespace wb::test

#include "plot_area_test.moc"
