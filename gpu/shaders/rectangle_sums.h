// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

// Shared by the host and rectangle_sums.comp.
namespace wb::gpu {

// The sums of a rectangle.
struct RectangleSums {
    std::uint32_t absmax; // bits of the f32
    float sum, squares;   // of values times 2^-exponent
    std::int32_t exponent;
    std::uint32_t nan, inf;
};
static_assert(sizeof(RectangleSums) == 24);

// The push constants: `rows` x `columns` values from the element `from` on are cut into rectangles of `height` x `width`, whose
// sums are written from the rectangle `to` on.
struct RectangleCut {
    std::uint32_t from, to;
    std::uint32_t rows, columns;
    std::uint32_t height, width;
};

inline constexpr std::uint32_t rectangleGroup = 64; // invocations of a workgroup, one a rectangle

} // namespace wb::gpu
