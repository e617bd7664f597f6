// SPDX-License-Identifier: MIT
#include "gpu/imview/shading.h"

#include <algorithm>
#include <cmath>

namespace wb::gpu::imview {
namespace {

constexpr std::uint32_t full = 255;
constexpr std::uint32_t square = full * full;
constexpr std::uint32_t cube = full * full * full;

std::uint32_t channel(std::uint32_t packed, unsigned part) { return packed >> (8 * part) & full; }

// A color times a texel over a pixel, in integers. All are 8 bits, so the exact result is a fraction of the odd numbers 255² and
// 255³, which no halfway case can be: rounding it is what rounding in f64 gives.
class Over {
public:
    Over(std::uint32_t texel, std::uint32_t color) {
        const std::uint32_t alpha = channel(texel, 3) * channel(color, 3); // of 255²
        m_rest = square - alpha;
        for (unsigned part = 0; part < 3; ++part) m_parts[part] = channel(texel, part) * channel(color, part) * alpha + cube / 2;
        m_alpha = full * alpha + square / 2;
    }

    bool isOpaque() const { return m_rest == 0; }

    std::uint32_t operator()(std::uint32_t pixel) const {
        std::uint32_t result = (m_alpha + channel(pixel, 3) * m_rest) / square << 24;
        for (unsigned part = 0; part < 3; ++part)
            result |= (m_parts[part] + channel(pixel, part) * full * m_rest) / cube << (8 * part);
        return result;
    }

private:
    std::array<std::uint32_t, 3> m_parts; // with the half that rounds; the sums stay below 2³²
    std::uint32_t m_alpha = 0, m_rest = 0;
};

std::array<double, 4> unpack(std::uint32_t packed) {
    std::array<double, 4> color;
    for (unsigned part = 0; part < 4; ++part) color[part] = static_cast<double>(channel(packed, part)) / 255;
    return color;
}

std::uint32_t pack(const std::array<double, 4>& color) {
    std::uint32_t packed = 0;
    for (unsigned part = 0; part < 4; ++part)
        packed |= static_cast<std::uint32_t>(std::clamp(color[part], 0.0, 1.0) * 255 + 0.5) << (8 * part);
    return packed;
}

double mix(double a, double b, double c, const std::array<double, 3>& sides, double area) {
    return (a * sides[0] + b * sides[1] + c * sides[2]) / area;
}

// The texel at a place, the nearest inside the texture; the first for NaN.
int inside(double place, int size) { return !(place > 0) ? 0 : place < size ? static_cast<int>(place) : size - 1; }

// The texels under the pixels of a row, along one axis of the texture.
class Walk {
public:
    Walk(const RowSides& sides, const std::array<float, 3>& corners, double area, int size)
        : m_sides(sides),
          m_corners{static_cast<double>(corners[0]), static_cast<double>(corners[1]), static_cast<double>(corners[2])},
          m_area(area), m_size(size), m_first(place(0)) {
        for (std::size_t i = 0; i < 3; ++i) m_step -= m_corners[i] * static_cast<double>(sides.slope[i]) / area * size;
    }

    // By one step a pixel, which is off by less than `unsure`; where that could be another texel, by the weights of the corners.
    int at(std::size_t pixel) const {
        constexpr double unsure = 1e-6;
        const double quick = m_first + m_step * static_cast<double>(pixel);
        if (!(quick > unsure && quick < m_size - unsure)) return inside(place(pixel), m_size);
        const int texel = static_cast<int>(quick);
        const double part = quick - texel;
        return part > unsure && part < 1 - unsure ? texel : inside(place(pixel), m_size);
    }

private:
    double place(std::size_t pixel) const {
        std::array<double, 3> weights;
        for (std::size_t i = 0; i < 3; ++i)
            weights[i] = static_cast<double>(m_sides.first[i] - m_sides.slope[i] * static_cast<std::int64_t>(pixel));
        return mix(m_corners[0], m_corners[1], m_corners[2], weights, m_area) * m_size;
    }

    const RowSides& m_sides;
    std::array<double, 3> m_corners;
    double m_area;
    int m_size;
    double m_first, m_step = 0;
};

// Whether a sampled color is one of 8 bits, as where all texels around the point are the same.
bool isPlain(const std::array<double, 4>& sampled) {
    return std::ranges::all_of(sampled, [](double part) { return std::abs(part * 255 - std::round(part * 255)) < 1e-9; });
}

} // namespace

Shading::Shading(const RasterTexture& texture, const std::array<ImDrawVert, 3>& corners, double area)
    : m_texture(texture), m_corners(corners), m_area(area) {
    const auto& [a, b, c] = m_corners;
    if (a.col != b.col || a.col != c.col) return;
    const bool isOneTexel = a.uv.x == b.uv.x && a.uv.x == c.uv.x && a.uv.y == b.uv.y && a.uv.y == c.uv.y;
    if (isOneTexel) {
        const Color sampled = sample(static_cast<double>(a.uv.x), static_cast<double>(a.uv.y));
        if (!isPlain(sampled)) return;
        m_texel = pack(sampled);
        m_kind = Over(m_texel, a.col).isOpaque() ? Kind::Fill : Kind::Blend;
    } else if (texture.filter == Filter::Nearest) {
        m_kind = Kind::Nearest;
    }
}

void Shading::draw(std::span<std::uint32_t> row, const RowSides& sides) const {
    const Over over(m_texel, m_corners[0].col);
    switch (m_kind) {
    case Kind::Fill: std::ranges::fill(row, over(0)); return;
    case Kind::Blend:
        for (std::uint32_t& pixel : row) pixel = over(pixel);
        return;
    case Kind::Nearest: return drawNearest(row, sides);
    case Kind::Mixed: return drawMixed(row, sides);
    }
}

// Neighboring pixels often show one texel, whose color is found once. An opaque one under a white triangle is its own color.
void Shading::drawNearest(std::span<std::uint32_t> row, const RowSides& sides) const {
    constexpr std::uint32_t white = 0xffffffff, opaque = 0xff000000;
    const auto& [a, b, c] = m_corners;
    const Walk columns(sides, {a.uv.x, b.uv.x, c.uv.x}, m_area, m_texture.width);
    const Walk rows(sides, {a.uv.y, b.uv.y, c.uv.y}, m_area, m_texture.height);
    std::uint32_t word = m_texture.word(columns.at(0), rows.at(0)), color = m_texture.color(word);
    for (std::size_t at = 0; at < row.size(); ++at) {
        if (const std::uint32_t next = m_texture.word(columns.at(at), rows.at(at)); next != word) {
            word = next;
            color = m_texture.color(word);
        }
        row[at] = a.col == white && color >= opaque ? color : Over(color, a.col)(row[at]);
    }
}

void Shading::drawMixed(std::span<std::uint32_t> row, const RowSides& sides) const {
    const auto& [a, b, c] = m_corners;
    const std::array<Color, 3> colors = {unpack(a.col), unpack(b.col), unpack(c.col)};
    std::array<std::int64_t, 3> side = sides.first;
    for (std::uint32_t& pixel : row) {
        const std::array weights = {static_cast<double>(side[0]), static_cast<double>(side[1]), static_cast<double>(side[2])};
        const auto along = [&](double one, double two, double three) { return mix(one, two, three, weights, m_area); };
        const Color texel = sample(along(static_cast<double>(a.uv.x), static_cast<double>(b.uv.x), static_cast<double>(c.uv.x)),
                                   along(static_cast<double>(a.uv.y), static_cast<double>(b.uv.y), static_cast<double>(c.uv.y)));
        Color target = unpack(pixel);
        const double alpha = texel[3] * along(colors[0][3], colors[1][3], colors[2][3]);
        for (std::size_t part = 0; part < 3; ++part)
            target[part] =
                texel[part] * along(colors[0][part], colors[1][part], colors[2][part]) * alpha + target[part] * (1 - alpha);
        target[3] = alpha + target[3] * (1 - alpha);
        pixel = pack(target);
        for (std::size_t edge = 0; edge < 3; ++edge) side[edge] -= sides.slope[edge];
    }
}

std::uint32_t Shading::nearest(double u, double v) const {
    return m_texture.word(inside(u * m_texture.width, m_texture.width), inside(v * m_texture.height, m_texture.height));
}

Shading::Color Shading::sample(double u, double v) const {
    if (m_texture.filter == Filter::Nearest) return unpack(m_texture.color(nearest(u, v)));
    const double x = u * m_texture.width - 0.5, y = v * m_texture.height - 0.5;
    const double left = std::floor(x), top = std::floor(y);
    const double right = x - left, low = y - top;
    const auto texel = [&](double column, double row) {
        return unpack(m_texture.color(m_texture.word(inside(column, m_texture.width), inside(row, m_texture.height))));
    };
    const Color a = texel(left, top), b = texel(left + 1, top), c = texel(left, top + 1), d = texel(left + 1, top + 1);
    Color mixed{};
    for (std::size_t part = 0; part < 4; ++part)
        mixed[part] = (a[part] * (1 - right) + b[part] * right) * (1 - low) + (c[part] * (1 - right) + d[part] * right) * low;
    return mixed;
}

} // namespace wb::gpu::imview
