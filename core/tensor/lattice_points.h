// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

// The points of one block of each lattice type, in order: `point(number, index, signs, scale)` gets the index into the type's grid
// (grids.h), the signs (bit i: element i of the point is negative; of IQ1 types bit 0: the point is shifted down) and the scale.
namespace wb::layout {

inline float scaleIq2(float d, unsigned code) { return d * (0.5F + static_cast<float>(code)) * 0.25F; }

// The 4-bit scale of group of eight `g` where one byte serves 32 elements.
inline unsigned scaleNibble(const std::byte* scales, unsigned g) { return loadU8(scales + g / 4) >> (4 * (g / 2 % 2)) & 15; }

template <class Point>
void pointsIq2Xxs(const std::byte* block, Point point) {
    const float d = loadF16(block + IQ2_XXS::d);
    for (unsigned g = 0; g < 32; ++g) {
        const std::byte* group = block + IQ2_XXS::groups + 8 * (g / 4);
        const auto tail = load<std::uint32_t>(group + 4);
        point(g, loadU8(group + g % 4), tables::signs_7bit[tail >> (7 * (g % 4)) & 127], scaleIq2(d, tail >> 28));
    }
}

template <class Point>
void pointsIq2Xs(const std::byte* block, Point point) {
    const float d = loadF16(block + IQ2_XS::d);
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned group = loadU16(block + IQ2_XS::groups + 2 * g);
        point(g, group & 511, tables::signs_7bit[group >> 9], scaleIq2(d, scaleNibble(block + IQ2_XS::scales, g)));
    }
}

template <class Point>
void pointsIq2S(const std::byte* block, Point point) {
    const float d = loadF16(block + IQ2_S::d);
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned high = loadU8(block + IQ2_S::indexHigh + g / 4) >> (2 * (g % 4)) & 3;
        const unsigned index = loadU8(block + IQ2_S::index + g) | high << 8;
        point(g, index, loadU8(block + IQ2_S::signs + g), scaleIq2(d, scaleNibble(block + IQ2_S::scales, g)));
    }
}

template <class Point>
void pointsIq3Xxs(const std::byte* block, Point point) {
    const float d = loadF16(block + IQ3_XXS::d);
    for (unsigned g = 0; g < 64; ++g) { // points of four
        const auto tail = load<std::uint32_t>(block + IQ3_XXS::tails + 4 * (g / 8));
        const unsigned signs = tables::signs_7bit[tail >> (7 * (g / 2 % 4)) & 127];
        point(g, loadU8(block + IQ3_XXS::index + g), signs >> (4 * (g % 2)), d * (0.5F + static_cast<float>(tail >> 28)) * 0.5F);
    }
}

template <class Point>
void pointsIq3S(const std::byte* block, Point point) {
    const float d = loadF16(block + IQ3_S::d);
    for (unsigned g = 0; g < 64; ++g) { // points of four
        const unsigned code = loadU8(block + IQ3_S::scales + g / 16) >> (4 * (g / 8 % 2)) & 15;
        const unsigned high = loadU8(block + IQ3_S::indexHigh + g / 8) >> g % 8 & 1;
        const unsigned index = loadU8(block + IQ3_S::index + g) | high << 8;
        point(g, index, loadU8(block + IQ3_S::signs + g / 2) >> (4 * (g % 2)), d * static_cast<float>(1 + 2 * code));
    }
}

template <class Point>
void pointsIq1S(const std::byte* block, Point point) {
    const float d = loadF16(block + IQ1_S::d);
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned tail = loadU16(block + IQ1_S::tails + 2 * (g / 4));
        const unsigned index = loadU8(block + IQ1_S::index + g) | (tail >> (3 * (g % 4)) & 7) << 8;
        point(g, index, tail >> 15, d * static_cast<float>(2 * (tail >> 12 & 7) + 1));
    }
}

template <class Point>
void pointsIq1M(const std::byte* block, Point point) {
    const float d = f16ToF32(gatherScaleIq1M(block));
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned sub = g / 2;
        const unsigned high = loadU8(block + IQ1_M::indexHigh + sub) >> (4 * (g % 2));
        const unsigned index = loadU8(block + IQ1_M::index + g) | (high & 7) << 8;
        const unsigned code = loadU16(block + IQ1_M::scales + 2 * (sub / 4)) >> (3 * (sub % 4)) & 7;
        point(g, index, high >> 3 & 1, d * static_cast<float>(2 * code + 1));
    }
}

} // namespace wb::layout
