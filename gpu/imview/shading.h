// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/raster_textures.h"

#include <imgui.h>

#include <array>
#include <span>

namespace wb::gpu::imview {

// The sides of the three edges at the first pixel of a row, and by how much each falls from pixel to pixel.
struct RowSides {
    std::array<std::int64_t, 3> first, slope;
};

// The colors of one triangle. Corners lie opposite of the edges whose sides are reported, so the sides are their weights.
class Shading {
public:
    Shading(const RasterTexture& texture, const std::array<ImDrawVert, 3>& corners, double area);

    // Blends the pixels of one row.
    void draw(std::span<std::uint32_t> row, const RowSides& sides) const;

private:
    using Color = std::array<double, 4>; // 0 … 1, red first
    enum class Kind { Fill, Blend, Nearest, Mixed };

    void drawNearest(std::span<std::uint32_t> row, const RowSides& sides) const;
    void drawMixed(std::span<std::uint32_t> row, const RowSides& sides) const;
    Color sample(double u, double v) const;
    std::uint32_t nearest(double u, double v) const;

    const RasterTexture& m_texture;
    std::array<ImDrawVert, 3> m_corners;
    double m_area;
    Kind m_kind = Kind::Mixed;
    std::uint32_t m_texel = 0; // of Fill and Blend: the one that all pixels have
};

} // namespace wb::gpu::imview
