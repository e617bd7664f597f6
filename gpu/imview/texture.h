// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace wb::gpu::imview {

// A texture of one canvas. 0 is the font atlas of Dear ImGui; other numbers are given out once and never again.
using TextureId = std::uint32_t;
inline constexpr TextureId fontTexture = 0;

// What every Vulkan 1.1 device can hold in one image (maxImageDimension2D is at least this). A larger map is several textures.
inline constexpr int maxTextureEdge = 4096;

enum class Filter { Nearest, Linear };

// A part of a texture, in texels; x grows to the right and y downwards.
struct TextureRect {
    int x = 0, y = 0, width = 0, height = 0;
};

// How a value's place between `low` and `high` is found: evenly, or evenly in asinh(x / linearWidth), which is linear around zero
// and logarithmic beyond, with both signs.
enum class Curve : std::uint32_t { Linear = 1, SymmetricLog = 2 };

// How a texture of values becomes colors. Colors are 0xAABBGGRR with straight alpha, as IM_COL32 makes them.
struct ColorScale {
    float low = -1, high = 1; // the values of the first and the last color; the content outside gets those
    Curve curve = Curve::Linear;
    float linearWidth = 1; // above 0
    std::array<std::uint32_t, 256> colors{};
    std::uint32_t nan = 0, positiveInfinity = 0, negativeInfinity = 0; // reserved, so that a broken value is never just a large one
};

// The color of one value: the scalar twin of imview.frag, which may differ from it by one entry of `colors` where a value is on
// the border of two. Legends, exports and tests ask here.
std::uint32_t scaleColor(const ColorScale& scale, float value);

// asinh(x) for any finite x, in the steps the shader takes.
float symmetricLog(float x);

} // namespace wb::gpu::imview
