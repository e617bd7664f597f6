// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/plot_area.h"

#include <glm/common.hpp>
#include <glm/matrix.hpp>

namespace wb::ui {
namespace {

glm::dvec2 apply(const glm::dmat3& matrix, glm::dvec2 point) {
    const glm::dvec3 moved = matrix * glm::dvec3(point, 1);
    return {moved.x, moved.y};
}

} // namespace

glm::dvec2 PlotArea::pixelsPerUnit() const {
    const glm::dvec2 span = high - low;
    return {span.x > 0 ? pixels.width() / span.x : 0, span.y > 0 ? pixels.height() / span.y : 0};
}

glm::dmat3 PlotArea::matrix() const {
    const glm::dvec2 scale = pixelsPerUnit() * glm::dvec2(1, flipped ? -1 : 1);
    const glm::dvec2 origin(pixels.left(), flipped ? pixels.bottom() : pixels.top());
    const glm::dvec2 move = origin - scale * low;
    return {glm::dvec3(scale.x, 0, 0), glm::dvec3(0, scale.y, 0), glm::dvec3(move, 1)};
}

glm::dvec2 PlotArea::toPixel(glm::dvec2 plot) const { return apply(matrix(), plot); }

glm::dvec2 PlotArea::toPlot(glm::dvec2 pixel) const { return apply(glm::inverse(matrix()), pixel); }

void PlotArea::panBy(glm::dvec2 moved) {
    const glm::dvec2 units = toPlot(glm::dvec2(0)) - toPlot(moved);
    low += units;
    high += units;
}

void PlotArea::zoomAt(glm::dvec2 pixel, glm::dvec2 factor) {
    const glm::dvec2 fixed = toPlot(pixel);
    low = fixed + (low - fixed) / factor;
    high = fixed + (high - fixed) / factor;
}

void PlotArea::keepWithin(glm::dvec2 lowest, glm::dvec2 highest, glm::dvec2 smallest) {
    const glm::dvec2 world = highest - lowest;
    const glm::dvec2 span = glm::clamp(high - low, glm::min(smallest, world), world);
    const glm::dvec2 middle = (low + high) * 0.5;
    low = glm::clamp(middle - span * 0.5, lowest, highest - span);
    high = low + span;
}

} // namespace wb::ui
