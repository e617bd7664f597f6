// SPDX-License-Identifier: MIT
#include "core/quant/kernels/k_blocks.h"
#include "core/quant/kernels/row_encoders.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/kernels/encode_legacy_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/block_codes-inl.h"
#include "core/quant/kernels/fit_affine-inl.h"
#include "core/quant/kernels/fit_symmetric-inl.h"

// Q4_0, Q4_1, Q5_0 and Q5_1 with column weights: one block a lane.
HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

using Wide = Two<V>;
constexpr std::size_t most = Shape<Wide>::vectors * maxLanes;

// Σx²/n over the row, in order.
float MeanSquare(std::span<const float> row) {
    float sum = 0;
    for (const float x : row) sum += x * x;
    return sum / static_cast<float>(row.size());
}

// Calls fit(batch, first block, count) for the row in batches with their weights u·sqrt(σ² + x²).
template <class Fit>
void ForWeightedBatches(const RowInput& row, Fit fit) {
    const Wide mean = Number<Wide>(MeanSquare(row.x));
    ForBatches<Wide>(row.x.size() / 32, [&](std::size_t first, std::size_t count) {
        Batch<Wide> b;
        b.size = 32;
        const Groups<Wide> places(32, first, count);
        b.load(places, row.x.data(), b.x);
        b.load(places, row.weights.data(), b.w);
        for (std::size_t i = 0; i < 32; ++i) {
            const Wide x = b.X(i);
            StoreAt(Mul(b.W(i), Sqrt(Add(mean, Mul(x, x)))), b.w + b.at(i));
        }
        fit(b, first, count);
    });
}

// clamp(nearest(inverse · (x - low)), least, most) - least, 0 in an empty block.
struct FittedCodes {
    float inverse, low;
    int least, most;
    bool empty;
    HWY_INLINE VI operator()(V x) const {
        if (empty) return hn::Zero(Ints());
        const VI level = Nearest(hn::Mul(Number(inverse), hn::Sub(x, Number(low))));
        return hn::Sub(Clamped(level, least, most), hn::Set(Ints(), least));
    }
};

// 1 in the lanes of a mask, else 0.
template <class K>
Wide Flags(K mask) {
    return IfThenElseZero(mask, Number<Wide>(1));
}

struct Stored {
    float d, m;
    FittedCodes codes;
};

template <int n, class Write>
void EncodeSymmetric(const RowInput& row, Write write) {
    ForWeightedBatches(row, [&](const Batch<Wide>& b, std::size_t first, std::size_t count) {
        const SymmetricFit<Wide> fit = FitSymmetric(b, n);
        float scales[most], inverses[most], empties[most];
        StoreLanes(fit.scale, count, scales);
        StoreLanes(fit.inverse, count, inverses);
        StoreLanes(Flags(fit.empty), count, empties);
        for (std::size_t g = 0; g < count; ++g)
            write(first + g, Stored{scales[g], 0, {inverses[g], 0, -n, n - 1, empties[g] != 0}});
    });
}

template <int n, class Write>
void EncodeAffine(const RowInput& row, Write write) {
    ForWeightedBatches(row, [&](const Batch<Wide>& b, std::size_t first, std::size_t count) {
        const LaneFit<Wide> fit = FitAffine<Wide, false>(b, n, weightedSearch);
        float scales[most], lows[most], inverses[most], usedLows[most], empties[most];
        StoreLanes(fit.scale, count, scales);
        StoreLanes(fit.low, count, lows);
        StoreLanes(fit.usedInverse, count, inverses);
        StoreLanes(fit.usedLow, count, usedLows);
        StoreLanes(Flags(fit.empty), count, empties);
        for (std::size_t g = 0; g < count; ++g)
            write(first + g, Stored{scales[g], lows[g], {inverses[g], usedLows[g], 0, n, empties[g] != 0}});
    });
}

void EncodeQ4_0(const RowInput& row) {
    using L = layout::Q4_0;
    EncodeSymmetric<8>(row, [&](std::size_t block, const Stored& s) {
        std::byte* const out = row.out + block * L::bytes;
        store(out + L::d, f32ToF16(s.d));
        StoreNibbles(row.x.data() + 32 * block, s.codes, out + L::codes);
    });
}

void EncodeQ5_0(const RowInput& row) {
    using L = layout::Q5_0;
    EncodeSymmetric<16>(row, [&](std::size_t block, const Stored& s) {
        std::byte* const out = row.out + block * L::bytes;
        store(out + L::d, f32ToF16(s.d));
        store(out + L::high, StoreNibbles(row.x.data() + 32 * block, s.codes, out + L::codes));
    });
}

void EncodeQ4_1(const RowInput& row) {
    using L = layout::Q4_1;
    EncodeAffine<15>(row, [&](std::size_t block, const Stored& s) {
        std::byte* const out = row.out + block * L::bytes;
        store(out + L::d, f32ToF16(s.d));
        store(out + L::m, f32ToF16(s.m));
        StoreNibbles(row.x.data() + 32 * block, s.codes, out + L::codes);
    });
}

void EncodeQ5_1(const RowInput& row) {
    using L = layout::Q5_1;
    EncodeAffine<31>(row, [&](std::size_t block, const Stored& s) {
        std::byte* const out = row.out + block * L::bytes;
        store(out + L::d, f32ToF16(s.d));
        store(out + L::m, f32ToF16(s.m));
        store(out + L::high, StoreNibbles(row.x.data() + 32 * block, s.codes, out + L::codes));
    });
}

RowEncoder WeightedForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q4_0: return EncodeQ4_0;
    case Dtype::Q4_1: return EncodeQ4_1;
    case Dtype::Q5_0: return EncodeQ5_0;
    case Dtype::Q5_1: return EncodeQ5_1;
    default: return nullptr;
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(WeightedForms);

RowEncoder weightedEncoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(WeightedForms)(dtype); }

} // namespace wb::quant
#endif
