// SPDX-License-Identifier: MIT
#include "ui/plots/map_viewport.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace wb::ui {
namespace {

// One axis inside its world of `size` units: in the middle if everything is visible, else no further than its edges.
void clampAxis(double& low, double& high, double size) {
    const double span = high - low;
    low = span >= size ? (size - span) / 2 : std::clamp(low, 0.0, size - span);
    high = low + span;
}

} // namespace

void MapViewport::setMatrix(std::uint64_t rows, std::uint64_t columns) {
    m_rows = static_cast<double>(rows);
    m_columns = static_cast<double>(columns);
    fit();
}

void MapViewport::setPixels(const QRectF& pixels) {
    if (pixels == m_area.pixels) return;
    const glm::dvec2 before = m_area.pixels.isEmpty() ? glm::dvec2(1) : scale();
    m_area.pixels = pixels;
    if (m_fitted || isEmpty()) return fit();
    m_area.high = m_area.low + glm::dvec2(pixels.width(), pixels.height()) / before;
    clamp();
}

glm::dvec2 MapViewport::fitScale() const {
    const double x = m_area.pixels.width() / m_columns, y = m_area.pixels.height() / m_rows;
    const double both = std::min({x, y, largestElement});
    return {std::min(std::max(both, minExtent / m_columns), x), std::min(std::max(both, minExtent / m_rows), y)};
}

void MapViewport::fit() {
    m_fitted = true;
    if (isEmpty()) return;
    m_area.low = {0, 0};
    m_area.high = glm::dvec2(m_area.pixels.width(), m_area.pixels.height()) / fitScale();
    clamp();
}

void MapViewport::panBy(glm::dvec2 pixels) {
    if (isEmpty()) return;
    m_area.panBy(pixels);
    clamp();
}

void MapViewport::zoomAt(glm::dvec2 pixel, double factor) {
    if (!isEmpty()) setScale(scale() * factor, pixel);
}

void MapViewport::setScale(glm::dvec2 wanted, glm::dvec2 fixedPixel) {
    const glm::dvec2 least = fitScale();
    const glm::dvec2 clamped = glm::max(least, glm::min(wanted, glm::max(least, glm::dvec2(largestElement))));
    m_area.zoomAt(fixedPixel, clamped / scale());
    m_fitted = clamped == least;
    clamp();
}

void MapViewport::centreOn(double row, double column, double pixelsAnElement) {
    if (isEmpty()) return;
    setScale(glm::max(scale(), glm::dvec2(pixelsAnElement)), {m_area.pixels.center().x(), m_area.pixels.center().y()});
    const glm::dvec2 half = (m_area.high - m_area.low) / 2.0;
    m_area.low = glm::dvec2(column + 0.5, row + 0.5) - half;
    m_area.high = m_area.low + 2.0 * half;
    clamp();
}

void MapViewport::clamp() {
    clampAxis(m_area.low.x, m_area.high.x, m_columns);
    clampAxis(m_area.low.y, m_area.high.y, m_rows);
}

stats::MatrixRegion MapViewport::visible(double margin) const {
    if (isEmpty()) return {};
    const auto range = [margin](double low, double high, double size) {
        const double extra = (high - low) * margin;
        const auto begin = static_cast<std::uint64_t>(std::clamp(std::floor(low - extra), 0.0, size));
        const auto end = static_cast<std::uint64_t>(std::clamp(std::ceil(high + extra), 0.0, size));
        return std::pair(begin, end - begin);
    };
    const auto [row, rows] = range(m_area.low.y, m_area.high.y, m_rows);
    const auto [column, columns] = range(m_area.low.x, m_area.high.x, m_columns);
    return {row, column, rows, columns};
}

std::uint32_t MapViewport::cellOfPixel(double devicePixelRatio) const {
    const glm::dvec2 pixels = scale() * devicePixelRatio;
    std::uint32_t cell = 1;
    while (cell * std::min(pixels.x, pixels.y) < 1 && cell < (1u << 31)) cell *= 2;
    return cell;
}

} // namespace wb::ui
