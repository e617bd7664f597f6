// SPDX-License-Identifier: MIT
// Super-blocks of a K type that are fitted together, lane by lane: the weights of their columns, and the scales of their groups as
// codes. Included once per SIMD target.
#if defined(WB_QUANT_K_CHUNK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_K_CHUNK_INL_H
#undef WB_QUANT_K_CHUNK_INL_H
#else
#define WB_QUANT_K_CHUNK_INL_H
#endif

#include "core/quant/kernels/encoders.h"
#include "core/quant/kernels/fit_affine-inl.h"
#include "core/quant/kernels/fit_positive-inl.h"
#include "core/quant/kernels/k_blocks.h"
#include "core/tensor/half.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

#if HWY_MAX_BYTES >= 64
using Wide = Two<Two<V>>; // thirty-two registers hold the sums of four vectors
#else
using Wide = Two<V>;
#endif
using Widest = Two<Two<V>>;

// Super-blocks that are fitted together: enough to fill the lanes also where a lane is a whole super-block.
constexpr std::size_t maxBlocks = 16;
constexpr std::size_t maxGroups = 16 * maxBlocks;
constexpr std::size_t maxElements = 256 * maxBlocks;

// Consecutive super-blocks of one row with their fits.
struct Chunk {
    const float* x;
    const float* columns; // nullptr in the plain form
    std::size_t blocks;
    std::byte* out;
    HWY_ALIGN float meanSquares[maxBlocks]; // σ² of each super-block
    HWY_ALIGN float scales[maxGroups];
    HWY_ALIGN float mins[maxGroups];
    HWY_ALIGN float groupWeights[maxGroups];
    HWY_ALIGN float units[maxBlocks]; // what the codes of the scales are multiplied with
    std::uint8_t codes[maxGroups];

    scalar::Block block(std::size_t b, std::size_t bytes) const {
        return {{x + 256 * b, 256}, columns ? std::span(columns + 256 * b, 256) : std::span<const float>(), 0, out + b * bytes};
    }
};

template <class Body>
void ForChunks(const RowInput& row, std::size_t blockBytes, Body body) {
    for (std::size_t first = 0; first < row.x.size(); first += maxElements) {
        Chunk chunk;
        chunk.x = row.x.data() + first;
        chunk.columns = row.weights.empty() ? nullptr : row.weights.data() + first;
        chunk.blocks = std::min(maxElements, row.x.size() - first) / 256;
        chunk.out = row.out + first / 256 * blockBytes;
        body(chunk);
    }
}

// factor · Σx² / 256 of each super-block.
void SetMeanSquares(Chunk& c, float factor) {
    SumSquares(c.x, 256, c.blocks, c.meanSquares);
    for (std::size_t b = 0; b < c.blocks; ++b) c.meanSquares[b] = factor * c.meanSquares[b] / 256;
}

// u·sqrt(σ² + x²).
template <class F>
HWY_INLINE void SetColumnWeights(const Chunk& c, const Groups<F>& places, Batch<F>& b) {
    const F mean = places.loadShared(c.meanSquares, b.size, 256 / b.size);
    b.load(places, c.columns, b.w);
    for (std::size_t i = 0; i < b.size; ++i) {
        const F x = b.X(i);
        StoreAt(Mul(b.W(i), Sqrt(Add(mean, Mul(x, x)))), b.w + b.at(i));
    }
}

// |x|, in groups of 32 with the root mean square added.
template <class F>
HWY_INLINE void SetPlainWeights(Batch<F>& b) {
    F average = Number<F>(0);
    if (b.size == 32) {
        F sum = Number<F>(0);
        for (std::size_t i = 0; i < b.size; ++i) sum = Add(sum, Mul(b.X(i), b.X(i)));
        average = Sqrt(Div(sum, Number<F>(32)));
    }
    for (std::size_t i = 0; i < b.size; ++i) StoreAt(Add(average, Abs(b.X(i))), b.w + b.at(i));
}

template <class F>
HWY_INLINE void SetSquares(Batch<F>& b) {
    for (std::size_t i = 0; i < b.size; ++i) StoreAt(Mul(b.X(i), b.X(i)), b.w + b.at(i));
}

void FitAffineScales(const AffineType& type, Chunk& c) {
    ForBatches<Wide>(c.blocks * type.groups(), [&](std::size_t first, std::size_t count) {
        Batch<Wide> b;
        b.size = type.group;
        const Groups<Wide> places(type.group, first, count);
        b.load(places, c.x, b.x);
        if (c.columns) SetColumnWeights(c, places, b);
        else SetPlainWeights(b);
        const AffineSearch& search = c.columns ? type.weighted : type.plain;
        const LaneFit<Wide> fit =
            search.absoluteError ? FitAffine<Wide, true>(b, type.levels, search) : FitAffine<Wide, false>(b, type.levels, search);
        StoreLanes(fit.scale, count, c.scales + first);
        StoreLanes(fit.low, count, c.mins + first);
        StoreLanes(fit.weight, count, c.groupWeights + first);
        for (std::size_t g = first; g < first + count; ++g) c.mins[g] = -c.mins[g];
    });
}

// QP over the scales of each super-block, weighed with their groups' weights.
void FitPositiveCodes(int levels, std::size_t perBlock, const float* values, Chunk& c) {
    ForBatches<V>(c.blocks, [&](std::size_t first, std::size_t count) {
        Batch<V> b;
        b.size = perBlock;
        const Groups<V> places(perBlock, first, count);
        b.load(places, values, b.x);
        b.load(places, c.groupWeights, b.w);
        HWY_ALIGN std::int32_t codes[16 * maxLanes];
        StoreLanes(FitPositive(b, levels, codes), count, c.units + first);
        for (std::size_t g = 0; g < count; ++g)
            for (std::size_t i = 0; i < perBlock; ++i)
                c.codes[(first + g) * perBlock + i] = static_cast<std::uint8_t>(codes[i * Lanes() + g]);
    });
}

// The codes of all scales, codeOf(nearest(inverse · value)) with each super-block's own inverse.
template <class CodeOf>
void SetScaleCodes(std::size_t perBlock, const float* values, const float* inverses, Chunk& c, CodeOf codeOf) {
    HWY_ALIGN float spread[maxGroups];
    for (std::size_t b = 0; b < maxBlocks; ++b) std::fill_n(spread + b * perBlock, perBlock, inverses[b]);
    for (std::size_t i = 0; i < c.blocks * perBlock; i += Lanes()) {
        const VI code = codeOf(Nearest(hn::Mul(hn::Load(Floats(), spread + i), hn::Load(Floats(), values + i))));
        hn::StoreU(hn::DemoteTo(Bytes(), code), Bytes(), c.codes + i);
    }
}

// plainScaleCodes for all super-blocks.
void SetPlainCodes(int levels, std::size_t perBlock, const float* values, Chunk& c) {
    const V top = Number(static_cast<float>(levels));
    HWY_ALIGN float inverses[maxBlocks] = {};
    ForBatches<V>(c.blocks, [&](std::size_t first, std::size_t count) {
        Batch<V> b;
        b.size = perBlock;
        b.load(Groups<V>(perBlock, first, count), values, b.x);
        V largest = Number(0);
        for (std::size_t i = 0; i < perBlock; ++i) largest = hn::IfThenElse(hn::Gt(b.X(i), largest), b.X(i), largest);
        StoreLanes(RatioAbove(top, largest), count, inverses + first);
        StoreLanes(hn::IfThenElseZero(hn::Gt(largest, Number(0)), hn::Div(largest, top)), count, c.units + first);
    });
    if (levels == 63) SetScaleCodes(perBlock, values, inverses, c, [](VI code) { return AtMost(LowByte(code), 63); });
    else SetScaleCodes(perBlock, values, inverses, c, LowByte);
}

// Codes of the sixteen signed scales of each super-block, as multiples of the `levels`th part of the largest; c.units get the
// parts. False in `any` where no scale is as large as `least`.
template <class CodeOf>
void SetSignedCodes(float levels, float least, Chunk& c, bool (&any)[maxBlocks], CodeOf codeOf) {
    HWY_ALIGN float inverses[maxBlocks] = {};
    ForBatches<V>(c.blocks, [&](std::size_t first, std::size_t count) {
        Batch<V> b;
        b.size = 16;
        b.load(Groups<V>(16, first, count), c.scales, b.x);
        const Largest<V> largest = LargestOf(b);
        const V inverse = hn::Div(Number(-levels), largest.value);
        StoreLanes(inverse, count, inverses + first);
        StoreLanes(hn::Div(Number(1), inverse), count, c.units + first);
        HWY_ALIGN float magnitudes[maxLanes];
        StoreAt(largest.magnitude, magnitudes);
        for (std::size_t g = 0; g < count; ++g) any[first + g] = magnitudes[g] >= least;
    });
    SetScaleCodes(16, c.scales, inverses, c, codeOf);
}

// Calls body(block, unit as f16, codes) for every super-block.
template <class Body>
void WithScaleCodes(const AffineType& type, const float* values, Chunk& c, Body body) {
    const std::size_t n = type.groups();
    if (c.columns) {
        FitPositiveCodes(type.scaleLevels, n, values, c);
        for (std::uint8_t& code : std::span(c.codes).first(n * c.blocks)) code = std::min(code, type.maxFitted);
    } else {
        SetPlainCodes(type.scaleLevels, n, values, c);
    }
    for (std::size_t b = 0; b < c.blocks; ++b) body(b, f32ToF16(c.units[b]), std::span(c.codes).subspan(n * b, n));
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
