// SPDX-License-Identifier: MIT
#include "gpu/imview/rasterizer.h"

#include "core/jobs/thread_pool.h"
#include "gpu/imview/shading.h"

#include <algorithm>
#include <cmath>

namespace wb::gpu::imview {
namespace {

constexpr std::int64_t grid = 256;                // steps of a pixel that vertices are rounded to
constexpr std::int64_t furthest = grid * 1 << 21; // from the picture's corner: no product of two distances exceeds 62 bits
constexpr std::uint64_t bandsPerThread = 2;       // bands are not equally dear

struct Point {
    std::int64_t x = 0, y = 0; // steps of the grid
    bool isFinite = false;
};

std::vector<Point> placeVertices(const DrawLists& lists) {
    const auto onGrid = [](float clip, int size) {
        const double steps = (static_cast<double>(clip) + 1) * size / 2 * grid;
        return std::clamp<std::int64_t>(std::llround(std::clamp(steps, -1e15, 1e15)), -furthest, furthest);
    };
    std::vector<Point> points(lists.vertices.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float x = lists.vertices[i].pos.x * lists.scaleX + lists.moveX;
        const float y = lists.vertices[i].pos.y * lists.scaleY + lists.moveY;
        if (std::isfinite(x) && std::isfinite(y)) points[i] = {onGrid(x, lists.width), onGrid(y, lists.height), true};
    }
    return points;
}

// Twice the area to the left of a → b at a point; positive inside of a triangle that turns clockwise on the screen.
std::int64_t pointSide(const Point& a, const Point& b, std::int64_t x, std::int64_t y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

std::int64_t floorDivided(std::int64_t dividend, std::int64_t divisor) { // divisor above 0
    const std::int64_t quotient = dividend / divisor;
    return quotient - (dividend % divisor < 0);
}

// One edge along a row of pixels: its side falls by `slope` from pixel to pixel.
class Edge {
public:
    Edge(const Point& a, const Point& b) : m_a(a), m_b(b), m_slope((b.y - a.y) * grid) {
        // A pixel on an edge belongs to the triangle where the edge is a top or a left one.
        m_least = b.y < a.y || (b.y == a.y && b.x > a.x) ? 0 : 1;
    }

    std::int64_t at(std::int64_t column, std::int64_t row) const {
        return pointSide(m_a, m_b, column * grid + grid / 2, row * grid + grid / 2);
    }
    std::int64_t slope() const { return m_slope; }

    // Keeps of the columns from left to right (exclusive) those that are inside.
    void clip(std::int64_t row, std::int64_t& left, std::int64_t& right) const {
        const std::int64_t room = at(0, row) - m_least;
        if (m_slope > 0) right = std::min(right, floorDivided(room, m_slope) + 1);
        else if (m_slope < 0) left = std::max(left, -floorDivided(room, -m_slope));
        else if (room < 0) right = left;
    }

private:
    const Point &m_a, &m_b;
    std::int64_t m_slope, m_least;
};

// Rows of the picture that one thread draws.
class Band {
public:
    Band(const DrawLists& lists, const std::vector<Point>& points, std::span<std::uint32_t> pixels, std::int64_t top,
         std::int64_t bottom)
        : m_lists(lists), m_points(points), m_pixels(pixels), m_top(top), m_bottom(bottom) {}

    void draw(const DrawCommand& command, const RasterTexture& texture) const {
        for (std::uint32_t at = 0; at + 2 < command.indexCount; at += 3) {
            const auto corner = [&](std::uint32_t which) {
                const auto index =
                    static_cast<std::int32_t>(m_lists.indices[command.firstIndex + at + which]) + command.vertexOffset;
                return static_cast<std::size_t>(index);
            };
            triangle(command, texture, corner(0), corner(1), corner(2));
        }
    }

private:
    void triangle(const DrawCommand& command, const RasterTexture& texture, std::size_t ia, std::size_t ib, std::size_t ic) const {
        const Point* a = &m_points[ia];
        const Point* b = &m_points[ib];
        const Point* c = &m_points[ic];
        if (!a->isFinite || !b->isFinite || !c->isFinite) return;
        const std::int64_t top = std::max({floorDivided(std::min({a->y, b->y, c->y}), grid), m_top, std::int64_t{command.clipY}});
        const std::int64_t bottom = std::min(
            {floorDivided(std::max({a->y, b->y, c->y}), grid) + 1, m_bottom, std::int64_t{command.clipY} + command.clipHeight});
        if (top >= bottom) return;
        const std::int64_t area = pointSide(*a, *b, c->x, c->y);
        if (area == 0) return;
        if (area < 0) {
            std::swap(b, c);
            std::swap(ib, ic);
        }
        const Edge opposite[3] = {{*b, *c}, {*c, *a}, {*a, *b}};
        const Shading shading(texture, {m_lists.vertices[ia], m_lists.vertices[ib], m_lists.vertices[ic]},
                              static_cast<double>(std::abs(area)));
        for (std::int64_t row = top; row < bottom; ++row) {
            std::int64_t left = command.clipX;
            std::int64_t right = left + command.clipWidth;
            for (const Edge& edge : opposite) edge.clip(row, left, right);
            if (left >= right) continue;
            const auto first = static_cast<std::size_t>(row * m_lists.width + left);
            shading.draw(m_pixels.subspan(first, static_cast<std::size_t>(right - left)),
                         {{opposite[0].at(left, row), opposite[1].at(left, row), opposite[2].at(left, row)},
                          {opposite[0].slope(), opposite[1].slope(), opposite[2].slope()}});
        }
    }

    const DrawLists& m_lists;
    const std::vector<Point>& m_points;
    std::span<std::uint32_t> m_pixels;
    std::int64_t m_top, m_bottom;
};

} // namespace

Result<void> rasterize(const DrawLists& lists, const RasterTextures& textures, std::span<std::uint32_t> pixels, unsigned threads) {
    const std::vector<Point> points = placeVertices(lists);
    const auto rows = static_cast<std::uint64_t>(lists.height);
    const std::uint64_t bands = std::min(rows, bandsPerThread * jobs::loopWidth(rows, threads));
    const auto drawBand = [&](std::uint64_t index) -> Result<void> {
        const Band band(lists, points, pixels, static_cast<std::int64_t>(rows * index / bands),
                        static_cast<std::int64_t>(rows * (index + 1) / bands));
        for (const DrawCommand& command : lists.commands)
            if (const RasterTexture* const texture = textures.find(command.texture)) band.draw(command, *texture);
        return {};
    };
    return jobs::parallelFor(bands, threads, {}, drawBand);
}

} // namespace wb::gpu::imview
