// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/plot_drawing.h"

#include "gpu/imview/imgui_compat.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wb::ui {
namespace {

bool isVisible(ImU32 color) { return (color & IM_COL32_A_MASK) != 0; }

// The points of consecutive finite values, thinned to at most four a pixel column: the first, the lowest, the highest and the last.
class ThinLine {
public:
    void add(glm::dvec2 pixel) {
        if (m_count > 0 && std::floor(pixel.x) == std::floor(m_first.x)) {
            if (pixel.y < m_top.y) m_top = pixel;
            if (pixel.y > m_bottom.y) m_bottom = pixel;
            m_last = pixel;
            ++m_count;
            return;
        }
        flush();
        m_first = m_top = m_bottom = m_last = pixel;
        m_count = 1;
    }

    void stroke(ImDrawList& list, ImU32 color, float width) {
        flush();
        m_count = 0;
        if (m_points.size() > 1)
            list.AddPolyline(m_points.data(), static_cast<int>(m_points.size()), color, ImDrawFlags_None, width);
        m_points.clear();
    }

private:
    void flush() {
        if (m_count == 0) return;
        m_points.push_back(plotPoint(m_first));
        if (m_count > 2) {
            m_points.push_back(plotPoint(m_top));
            m_points.push_back(plotPoint(m_bottom));
        }
        if (m_count > 1) m_points.push_back(plotPoint(m_last));
    }

    std::vector<ImVec2> m_points;
    glm::dvec2 m_first{}, m_top{}, m_bottom{}, m_last{};
    int m_count = 0;
};

} // namespace

ImU32 plotColor(const QColor& color) { return IM_COL32(color.red(), color.green(), color.blue(), color.alpha()); }

// Far outside nothing is visible, and f32 would lose the pixel.
ImVec2 plotPoint(glm::dvec2 pixel) {
    const glm::dvec2 near = glm::clamp(pixel, glm::dvec2(-1e5), glm::dvec2(1e5));
    return {static_cast<float>(near.x), static_cast<float>(near.y)};
}

PlotClip::PlotClip(ImDrawList& list, const QRectF& pixels) : m_list(list) {
    list.PushClipRect(plotPoint({pixels.left(), pixels.top()}), plotPoint({pixels.right(), pixels.bottom()}), true);
}

void drawBars(ImDrawList& list, const PlotArea& area, std::span<const double> edges, std::span<const double> heights, ImU32 fill,
              ImU32 outline) {
    const PlotClip clip(list, area.pixels);
    const double ground = area.toPixel({0, 0}).y;
    const double right = area.pixels.right();
    for (std::size_t bar = 0; bar < heights.size();) {
        const double left = area.toPixel({edges[bar], 0}).x;
        if (left > right) break;
        double height = heights[bar];
        std::size_t next = bar + 1;
        // What starts within the same pixel is one bar.
        for (; next < heights.size() && area.toPixel({edges[next], 0}).x < left + 1; ++next)
            height = std::max(height, heights[next]);
        const double end = std::max(area.toPixel({edges[next], 0}).x, left + 1);
        bar = next;
        if (height == 0 || end < area.pixels.left()) continue;
        const ImVec2 from = plotPoint({left, area.toPixel({0, height}).y}), to = plotPoint({end, ground});
        list.AddRectFilled(from, to, fill);
        if (isVisible(outline)) list.AddLine(from, {to.x, from.y}, outline);
    }
}

void drawLine(ImDrawList& list, const PlotArea& area, std::span<const glm::dvec2> points, ImU32 color, float width) {
    const PlotClip clip(list, area.pixels);
    ThinLine line;
    for (std::size_t at = 0; at < points.size(); ++at) {
        const bool before = at + 1 < points.size() && points[at + 1].x < area.low.x;
        const bool after = at > 0 && points[at - 1].x > area.high.x;
        if (before || after) continue;
        if (std::isfinite(points[at].x) && std::isfinite(points[at].y)) line.add(area.toPixel(points[at]));
        else line.stroke(list, color, width);
    }
    line.stroke(list, color, width);
}

void drawImage(ImDrawList& list, const PlotArea& area, gpu::imview::TextureId texture, glm::dvec2 low, glm::dvec2 high,
               glm::dvec2 textureLow, glm::dvec2 textureHigh) {
    const glm::dvec2 seenLow = glm::max(low, area.low), seenHigh = glm::min(high, area.high);
    if (!(seenLow.x < seenHigh.x && seenLow.y < seenHigh.y)) return;
    const glm::dvec2 perUnit = (textureHigh - textureLow) / (high - low);
    const glm::dvec2 from = area.toPixel(seenLow), to = area.toPixel(seenHigh);
    const glm::dvec2 uvFrom = textureLow + (seenLow - low) * perUnit, uvTo = textureLow + (seenHigh - low) * perUnit;
    list.AddImage(gpu::imview::imguiTexture(texture), {static_cast<float>(from.x), static_cast<float>(from.y)},
                  {static_cast<float>(to.x), static_cast<float>(to.y)},
                  {static_cast<float>(uvFrom.x), static_cast<float>(uvFrom.y)},
                  {static_cast<float>(uvTo.x), static_cast<float>(uvTo.y)});
}

void drawGridX(ImDrawList& list, const PlotArea& area, std::span<const double> ticks, ImU32 color) {
    for (const double tick : ticks) {
        if (tick < area.low.x || tick > area.high.x) continue;
        const double x = std::round(area.toPixel({tick, 0}).x);
        list.AddRectFilled(plotPoint({x, area.pixels.top()}), plotPoint({x + 1, area.pixels.bottom()}), color);
    }
}

void drawGridY(ImDrawList& list, const PlotArea& area, std::span<const double> ticks, ImU32 color) {
    for (const double tick : ticks) {
        if (tick < area.low.y || tick > area.high.y) continue;
        const double y = std::round(area.toPixel({0, tick}).y);
        list.AddRectFilled(plotPoint({area.pixels.left(), y}), plotPoint({area.pixels.right(), y + 1}), color);
    }
}

} // namespace wb::ui
