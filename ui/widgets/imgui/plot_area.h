// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>

#include <QRectF>

namespace wb::ui {

// A rectangle of pixels that shows a rectangle of plot coordinates: what panning and zooming change. Coordinates are double, so
// that single cells of a matrix of millions keep their place.
struct PlotArea {
    QRectF pixels;
    glm::dvec2 low{0, 0}, high{1, 1}; // shown; low is at the left and at the top
    bool flipped = false;             // low.y is at the bottom, as in a chart

    glm::dmat3 matrix() const; // plot coordinates (x, y, 1) to pixels
    glm::dvec2 toPixel(glm::dvec2 plot) const;
    glm::dvec2 toPlot(glm::dvec2 pixel) const;
    glm::dvec2 pixelsPerUnit() const; // both positive

    // Moves the content by so many pixels, as a hand would.
    void panBy(glm::dvec2 moved);

    // Enlarges by `factor` a direction; the content under `pixel` stays there.
    void zoomAt(glm::dvec2 pixel, glm::dvec2 factor);

    // Clamps the visible area to a world: no further out than everything, no further in than `smallest` units a direction.
    void keepWithin(glm::dvec2 lowest, glm::dvec2 highest, glm::dvec2 smallest);

    bool operator==(const PlotArea&) const = default;
};

} // namespace wb::ui
