// SPDX-License-Identifier: MIT
#include "core/tensor/row_decoder.h"

#include "core/tensor/grids.h"
#include "core/tensor/lattice_points.h"

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

// A ternary point moved by an eighth.
void shiftedPoint(std::uint64_t point, bool negative, float scale, float* out) {
    const float shift = negative ? -0.125F : 0.125F;
    for (unsigned i = 0; i < 8; ++i) out[i] = scale * (coordinate(point, i) + shift);
}

// Writes the elements of point after point of a grid whose points have signs.
template <class Grid>
auto signedPoints(const Grid& grid, float* out) {
    return [&grid, out](unsigned number, unsigned index, unsigned signs, float scale) {
        signedPoint(grid[index], signs, scale, out + sizeof(grid[index]) * number);
    };
}

auto shiftedPoints(float* out) {
    return [out](unsigned number, unsigned index, unsigned negative, float scale) {
        shiftedPoint(grids::iq1[index], negative != 0, scale, out + 8 * number);
    };
}

void iq2_xxs(const std::byte* block, float* out) { pointsIq2Xxs(block, signedPoints(grids::iq2Xxs, out)); }
void iq2_xs(const std::byte* block, float* out) { pointsIq2Xs(block, signedPoints(grids::iq2Xs, out)); }
void iq2_s(const std::byte* block, float* out) { pointsIq2S(block, signedPoints(grids::iq2S, out)); }
void iq3_xxs(const std::byte* block, float* out) { pointsIq3Xxs(block, signedPoints(grids::iq3Xxs, out)); }
void iq3_s(const std::byte* block, float* out) { pointsIq3S(block, signedPoints(grids::iq3S, out)); }
void iq1_s(const std::byte* block, float* out) { pointsIq1S(block, shiftedPoints(out)); }
void iq1_m(const std::byte* block, float* out) { pointsIq1M(block, shiftedPoints(out)); }

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
