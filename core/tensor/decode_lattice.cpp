// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/grids.h"
#include "core/tensor/half.h"

namespace wb::scalar {
namespace {

using namespace layout;

// Byte i of a grid point.
template <class Point>
float coordinate(Point point, unsigned i) {
    return static_cast<float>(static_cast<std::int8_t>(point >> (8 * i) & 255));
}

// The elements of one point. Bit i of `signs` set: element i is negative.
template <class Point>
void signedPoint(Point point, unsigned signs, float scale, float* out) {
    for (unsigned i = 0; i < sizeof(Point); ++i) {
        const float magnitude = scale * coordinate(point, i);
        out[i] = (signs >> i & 1) != 0 ? -magnitude : magnitude;
    }
}

float scaleIq2(float d, unsigned code) { return d * (0.5F + static_cast<float>(code)) * 0.25F; }

// The 4-bit scale of group of eight `g` where one byte serves 32 elements.
unsigned scaleNibble(const std::byte* scales, unsigned g) { return loadU8(scales + g / 4) >> (4 * (g / 2 % 2)) & 15; }

void iq2_xxs(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ2_XXS::d);
    for (unsigned g = 0; g < 32; ++g) {
        const std::byte* group = block + IQ2_XXS::groups + 8 * (g / 4);
        const auto tail = load<std::uint32_t>(group + 4);
        const auto point = grids::iq2Xxs[loadU8(group + g % 4)];
        signedPoint(point, tables::signs_7bit[tail >> (7 * (g % 4)) & 127], scaleIq2(d, tail >> 28), out + 8 * g);
    }
}

void iq2_xs(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ2_XS::d);
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned group = loadU16(block + IQ2_XS::groups + 2 * g);
        const float scale = scaleIq2(d, scaleNibble(block + IQ2_XS::scales, g));
        signedPoint(grids::iq2Xs[group & 511], tables::signs_7bit[group >> 9], scale, out + 8 * g);
    }
}

void iq2_s(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ2_S::d);
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned high = loadU8(block + IQ2_S::indexHigh + g / 4) >> (2 * (g % 4)) & 3;
        const unsigned index = loadU8(block + IQ2_S::index + g) | high << 8;
        const float scale = scaleIq2(d, scaleNibble(block + IQ2_S::scales, g));
        signedPoint(grids::iq2S[index], loadU8(block + IQ2_S::signs + g), scale, out + 8 * g);
    }
}

void iq3_xxs(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ3_XXS::d);
    for (unsigned g = 0; g < 64; ++g) { // groups of four
        const auto tail = load<std::uint32_t>(block + IQ3_XXS::tails + 4 * (g / 8));
        const float scale = d * (0.5F + static_cast<float>(tail >> 28)) * 0.5F;
        const unsigned signs = tables::signs_7bit[tail >> (7 * (g / 2 % 4)) & 127];
        signedPoint(grids::iq3Xxs[loadU8(block + IQ3_XXS::index + g)], signs >> (4 * (g % 2)), scale, out + 4 * g);
    }
}

void iq3_s(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ3_S::d);
    for (unsigned g = 0; g < 64; ++g) { // groups of four
        const unsigned code = loadU8(block + IQ3_S::scales + g / 16) >> (4 * (g / 8 % 2)) & 15;
        const float scale = d * static_cast<float>(1 + 2 * code);
        const unsigned high = loadU8(block + IQ3_S::indexHigh + g / 8) >> g % 8 & 1;
        const unsigned index = loadU8(block + IQ3_S::index + g) | high << 8;
        signedPoint(grids::iq3S[index], loadU8(block + IQ3_S::signs + g / 2) >> (4 * (g % 2)), scale, out + 4 * g);
    }
}

// A ternary point moved by an eighth.
void shiftedPoint(std::uint64_t point, bool negative, float scale, float* out) {
    const float shift = negative ? -0.125F : 0.125F;
    for (unsigned i = 0; i < 8; ++i) out[i] = scale * (coordinate(point, i) + shift);
}

void iq1_s(const std::byte* block, float* out) {
    const float d = loadF16(block + IQ1_S::d);
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned tail = loadU16(block + IQ1_S::tails + 2 * (g / 4));
        const unsigned index = loadU8(block + IQ1_S::index + g) | (tail >> (3 * (g % 4)) & 7) << 8;
        const float scale = d * static_cast<float>(2 * (tail >> 12 & 7) + 1);
        shiftedPoint(grids::iq1[index], (tail >> 15) != 0, scale, out + 8 * g);
    }
}

void iq1_m(const std::byte* block, float* out) {
    const float d = f16ToF32(gatherScaleIq1M(block));
    for (unsigned g = 0; g < 32; ++g) {
        const unsigned sub = g / 2;
        const unsigned high = loadU8(block + IQ1_M::indexHigh + sub) >> (4 * (g % 2));
        const unsigned index = loadU8(block + IQ1_M::index + g) | (high & 7) << 8;
        const unsigned code = loadU16(block + IQ1_M::scales + 2 * (sub / 4)) >> (3 * (sub % 4)) & 7;
        shiftedPoint(grids::iq1[index], (high & 8) != 0, d * static_cast<float>(2 * code + 1), out + 8 * g);
    }
}

} // namespace

RowDecoder latticeDecoder(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ2_XXS: return eachBlock<IQ2_XXS, iq2_xxs>;
    case Dtype::IQ2_XS: return eachBlock<IQ2_XS, iq2_xs>;
    case Dtype::IQ2_S: return eachBlock<IQ2_S, iq2_s>;
    case Dtype::IQ3_XXS: return eachBlock<IQ3_XXS, iq3_xxs>;
    case Dtype::IQ3_S: return eachBlock<IQ3_S, iq3_s>;
    case Dtype::IQ1_S: return eachBlock<IQ1_S, iq1_s>;
    case Dtype::IQ1_M: return eachBlock<IQ1_M, iq1_m>;
    default: return nullptr;
    }
}

} // namespace wb::scalar
