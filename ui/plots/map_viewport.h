// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/map/matrix.h"
#include "ui/widgets/imgui/plot_area.h"

namespace wb::ui {

// Which part of a matrix a picture shows: x counts columns and y rows, element (row, column) covers [column, column + 1) x
// [row, row + 1). A matrix that is narrower than its place is in the middle of it.
class MapViewport {
public:
    static constexpr double largestElement = 64; // pixels, at the nearest zoom: a value can be read in it
    static constexpr double minExtent = 24;      // pixels that a single row or column gets when all of the matrix is shown

    void setMatrix(std::uint64_t rows, std::uint64_t columns); // and shows everything
    void setPixels(const QRectF& pixels);                      // keeps the top left and the zoom, or continues showing all

    void fit();
    void panBy(glm::dvec2 pixels);
    void zoomAt(glm::dvec2 pixel, double factor);                     // above 1: nearer
    void centreOn(double row, double column, double pixelsAnElement); // at least that near

    const PlotArea& area() const { return m_area; }
    bool showsAll() const { return m_fitted; }
    bool isEmpty() const { return m_rows == 0 || m_columns == 0 || m_area.pixels.isEmpty(); }

    // The elements that are at least partly seen, and as many again on each side times `margin`.
    stats::MatrixRegion visible(double margin = 0) const;

    // The cell (a power of two) of which one is about one device pixel.
    std::uint32_t cellOfPixel(double devicePixelRatio) const;

private:
    glm::dvec2 fitScale() const; // pixels an element when all is shown
    glm::dvec2 scale() const { return m_area.pixelsPerUnit(); }
    void setScale(glm::dvec2 scale, glm::dvec2 fixedPixel);
    void clamp();

    double m_rows = 0, m_columns = 0;
    PlotArea m_area;
    bool m_fitted = true;
};

} // namespace wb::ui
