// SPDX-License-Identifier: MIT
#include "core/quant/kernels/fit.h"
#include "core/quant/kernels/rounding.h"
#include "core/quant/kernels/row_encoders.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"
#include "core/tensor/tables.h"

#include <array>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/kernels/encode_iq4_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/batch-inl.h"
#include "core/quant/kernels/block_codes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

using Wide = Two<V>;
constexpr auto& levels = tables::values_iq4;
constexpr std::size_t maxBlocks = 16; // super-blocks of IQ4_XS that are fitted together

// The reference goes up at y - low >= high - y. Levels are complete numbers and lie so that both differences are exact near the
// middle: the middle itself decides.
constexpr float Middle(std::size_t i) { return static_cast<float>(levels[i] + levels[i + 1]) / 2; }

// The nearest level; a NaN takes the last, as in the reference's bisection.
template <class F, std::size_t... i>
HWY_INLINE F NearestLevelOf(F y, std::index_sequence<i...>) {
    F level = Number<F>(levels[0]);
    ((level = IfThenElse(Lt(y, Number<F>(Middle(i))), level, Number<F>(levels[i + 1]))), ...);
    return level;
}
template <class F>
HWY_INLINE F NearestLevel(F y) {
    return NearestLevelOf(y, std::make_index_sequence<15>());
}

// The code of the nearest level of inverse · x.
struct NearestCode {
    float inverse;
    template <std::size_t... i>
    HWY_INLINE VI search(V y, std::index_sequence<i...>) const {
        VI code = hn::Zero(Ints());
        const auto pass = [&](std::size_t c) {
            code = hn::IfThenElse(hn::RebindMask(Ints(), hn::Lt(y, Number(Middle(c)))), code,
                                  hn::Set(Ints(), static_cast<int>(c + 1)));
        };
        (pass(i), ...);
        return code;
    }
    HWY_INLINE VI operator()(V x) const { return search(hn::Mul(Number(inverse), x), std::make_index_sequence<15>()); }
};

template <class F>
HWY_INLINE Sums<F> SumsFor(const Batch<F>& b, F inverse) {
    Sums<F> sums{Number<F>(0), Number<F>(0)};
    for (std::size_t i = 0; i < b.size; ++i) {
        const F x = b.X(i);
        const F level = NearestLevel(Mul(inverse, x));
        const F wl = Mul(b.W(i), level);
        sums.lx = Add(sums.lx, Mul(wl, x));
        sums.l2 = Add(sums.l2, Mul(wl, level));
    }
    return sums;
}

// The scale of each group with the best weighted fit among sixteen candidates; 0 for an empty group.
template <class F>
F FitScale(const Batch<F>& b) {
    const Largest<F> largest = LargestOf(b);
    const F first = Number<F>(static_cast<float>(levels[0]));
    const F start = Div(Sub(Number<F>(-0.0f), largest.value), first);
    const Sums<F> firstSums = SumsFor(b, Div(Number<F>(1), start));
    F d = RatioAbove(firstSums.lx, firstSums.l2);
    F best = Mul(d, firstSums.lx);
    for (int t = -7; t <= 7; ++t) {
        const Sums<F> sums = SumsFor(b, Div(Number<F>(static_cast<float>(t + levels[0])), largest.value));
        const auto better = And(Gt(sums.l2, Number<F>(0)), Gt(Mul(sums.lx, sums.lx), Mul(best, sums.l2)));
        d = IfThenElse(better, Div(sums.lx, sums.l2), d);
        best = IfThenElse(better, Mul(d, sums.lx), best);
    }
    return IfThenZeroElse(Lt(largest.magnitude, Number<F>(emptyGroup)), d);
}

// x², or u·sqrt(σ² + x²) with column weights.
template <class F>
HWY_INLINE void SetWeights(Batch<F>& b, const Groups<F>& places, const float* columns, F mean) {
    if (columns) b.load(places, columns, b.w);
    for (std::size_t i = 0; i < b.size; ++i) {
        const F square = Mul(b.X(i), b.X(i));
        StoreAt(columns ? Mul(b.W(i), Sqrt(Add(mean, square))) : square, b.w + b.at(i));
    }
}

const float* ColumnsFrom(const RowInput& row, std::size_t first) {
    return row.weights.empty() ? nullptr : row.weights.data() + first;
}

void EncodeNl(const RowInput& row) {
    using L = layout::IQ4_NL;
    ForBatches<Wide>(row.x.size() / 32, [&](std::size_t first, std::size_t count) {
        Batch<Wide> b;
        b.size = 32;
        const Groups<Wide> places(32, first, count);
        b.load(places, row.x.data(), b.x);
        Wide sum = Number<Wide>(0);
        for (std::size_t i = 0; i < 32; ++i) sum = Add(sum, Mul(b.X(i), b.X(i)));
        SetWeights(b, places, ColumnsFrom(row, 0), Mul(sum, Number<Wide>(2.0f / 32)));
        float scales[Shape<Wide>::vectors * maxLanes];
        StoreLanes(FitScale(b), count, scales);
        for (std::size_t g = 0; g < count; ++g) {
            std::byte* const out = row.out + (first + g) * L::bytes;
            store(out + L::d, f32ToF16(scales[g]));
            StoreNibbles(row.x.data() + 32 * (first + g), NearestCode{scales[g] != 0 ? 1 / scales[g] : 0.0f}, out + L::codes);
        }
    });
}

void StoreXs(const float* x, std::span<const float> scales, std::byte* out) {
    using L = layout::IQ4_XS;
    const float d = -signedLargest(scales).value / 32;
    const float inverse = d != 0 ? 1 / d : 0.0f;
    unsigned highs = 0;
    std::array<unsigned, 4> lows{};
    for (std::size_t b = 0; b < 8; ++b) {
        const int code = clampInt(nearestInt(inverse * scales[b]), -32, 31);
        const float scale = d * static_cast<float>(code);
        StoreNibbles(x + 32 * b, NearestCode{scale != 0 ? 1 / scale : 0.0f}, out + L::codes + 16 * b);
        const auto stored = static_cast<unsigned>(code + 32);
        highs |= stored >> 4 << (2 * b);
        lows[b / 2] |= (stored & 15) << (4 * (b % 2));
    }
    store(out + L::d, f32ToF16(d));
    store(out + L::scalesHigh, static_cast<std::uint16_t>(highs));
    for (std::size_t i = 0; i < 4; ++i) store(out + L::scalesLow + i, static_cast<std::uint8_t>(lows[i]));
}

// Super-blocks firstBlock … of a row.
void EncodeXsRun(const RowInput& row, std::size_t firstBlock, std::size_t blocks) {
    const float* const x = row.x.data() + 256 * firstBlock;
    const float* const columns = ColumnsFrom(row, 256 * firstBlock);
    float means[maxBlocks];
    SumSquares(x, 256, blocks, means);
    for (std::size_t b = 0; b < blocks; ++b) means[b] *= 2.0f / 256;
    float scales[8 * maxBlocks];
    ForBatches<Wide>(8 * blocks, [&](std::size_t first, std::size_t count) {
        Batch<Wide> b;
        b.size = 32;
        const Groups<Wide> places(32, first, count);
        b.load(places, x, b.x);
        SetWeights(b, places, columns, places.loadShared(means, 32, 8));
        StoreLanes(FitScale(b), count, scales + first);
    });
    for (std::size_t b = 0; b < blocks; ++b)
        StoreXs(x + 256 * b, std::span(scales).subspan(8 * b, 8), row.out + (firstBlock + b) * layout::IQ4_XS::bytes);
}

void EncodeXs(const RowInput& row) {
    const std::size_t blocks = row.x.size() / 256;
    for (std::size_t first = 0; first < blocks; first += maxBlocks) EncodeXsRun(row, first, std::min(maxBlocks, blocks - first));
}

RowEncoder Iq4Forms(Dtype dtype) {
    switch (dtype) {
    case Dtype::IQ4_NL: return EncodeNl;
    case Dtype::IQ4_XS: return EncodeXs;
    default: return nullptr;
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(Iq4Forms);

RowEncoder iq4Encoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(Iq4Forms)(dtype); }

} // namespace wb::quant
#endif
