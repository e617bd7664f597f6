// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/texture.h"
#include "ui/widgets/imgui/plot_area.h"

#include <imgui.h>

#include <QColor>

#include <span>

// Geometry of plots in plot coordinates, drawn into a list of Dear ImGui and clipped to the area. All draw no more than the pixels
// can show, however many points there are.
namespace wb::ui {

ImU32 plotColor(const QColor& color);
ImVec2 plotPoint(glm::dvec2 pixel);

// Restricts what is drawn to the area as long as it lives.
class PlotClip {
public:
    PlotClip(ImDrawList& list, const QRectF& pixels);
    ~PlotClip() { m_list.PopClipRect(); }
    PlotClip(const PlotClip&) = delete;
    PlotClip& operator=(const PlotClip&) = delete;

private:
    ImDrawList& m_list;
};

// Bar i stands from edges[i] to edges[i + 1] (ascending, one more than heights) on 0. Bars narrower than a pixel are drawn as the
// highest of those in the pixel. An outline of alpha 0 is omitted.
void drawBars(ImDrawList& list, const PlotArea& area, std::span<const double> edges, std::span<const double> heights, ImU32 fill,
              ImU32 outline);

// A line through points of ascending x, broken where y is not finite. Where many points share a pixel column, their lowest and
// highest are drawn.
void drawLine(ImDrawList& list, const PlotArea& area, std::span<const glm::dvec2> points, ImU32 color, float width);

// A part of a texture (0 … 1) on a rectangle of plot coordinates, of which only the visible part is drawn: deep in, the rectangle
// is millions of pixels wide, which f32 vertices cannot hold.
void drawImage(ImDrawList& list, const PlotArea& area, gpu::imview::TextureId texture, glm::dvec2 low, glm::dvec2 high,
               glm::dvec2 textureLow = {0, 0}, glm::dvec2 textureHigh = {1, 1});

// Lines of one pixel across the area.
void drawGridX(ImDrawList& list, const PlotArea& area, std::span<const double> ticks, ImU32 color);
void drawGridY(ImDrawList& list, const PlotArea& area, std::span<const double> ticks, ImU32 color);

} // namespace wb::ui
