// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"
#include "core/quant/kernels/k_blocks.h"
#include "core/quant/kernels/row_encoders.h"

#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/quant/kernels/encode_k_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/quant/kernels/fit_symmetric-inl.h"
#include "core/quant/kernels/k_chunk-inl.h"
#include "core/quant/kernels/pack_codes-inl.h"

#include <numeric>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {
namespace {

// The last step of a super-block. False where a group has no scale and keeps codes that were not kept here.
bool DivideToCodes(const float* x, const GroupUnits& units, Codes256& codes) {
    for (std::size_t j = 0; j < units.groups(); ++j) {
        if (units.d[j] == 0) return false;
        const V d = Number(units.d[j]);
        const V m = Number(units.m[j]);
        for (std::size_t i = j * units.group; i < (j + 1) * units.group; i += Lanes()) {
            const V quotient = hn::Div(hn::Add(hn::LoadU(Floats(), x + i), m), d);
            const VI code = hn::Sub(Clamped(Nearest(quotient), units.low, units.high), hn::Set(Ints(), units.low));
            hn::StoreU(hn::DemoteTo(Bytes(), code), Bytes(), codes.data() + i);
        }
    }
    return true;
}

void StoreCodesQ2K(const Codes256& codes, std::byte* out) { PackTwoBits<0>(out + layout::Q2_K::codes, codes); }
void StoreCodesQ3K(const Codes256& codes, std::byte* out) {
    PackBitPlane<2>(out + layout::Q3_K::high, codes);
    PackTwoBits<0>(out + layout::Q3_K::codes, codes);
}
void StoreCodesQ4K(const Codes256& codes, std::byte* out) { PackNibbles<32>(out + layout::Q4_K::codes, codes); }
void StoreCodesQ5K(const Codes256& codes, std::byte* out) {
    PackBitPlane<4>(out + layout::Q5_K::high, codes);
    PackNibbles<32>(out + layout::Q5_K::codes, codes);
}
void StoreCodesQ6K(const Codes256& codes, std::byte* out) {
    PackNibbles<64>(out + layout::Q6_K::low, codes);
    PackTwoBits<4>(out + layout::Q6_K::high, codes);
}

struct Form {
    void (*storeCodes)(const Codes256&, std::byte*);
    void (*scalarForm)(const scalar::Block&);
    std::size_t bytes;
};
constexpr Form formQ2{StoreCodesQ2K, scalar::encodeQ2K, layout::Q2_K::bytes};
constexpr Form formQ3{StoreCodesQ3K, scalar::encodeQ3K, layout::Q3_K::bytes};
constexpr Form formQ4{StoreCodesQ4K, scalar::encodeQ4K, layout::Q4_K::bytes};
constexpr Form formQ5{StoreCodesQ5K, scalar::encodeQ5K, layout::Q5_K::bytes};
constexpr Form formQ6{StoreCodesQ6K, scalar::encodeQ6K, layout::Q6_K::bytes};

void Finish(const Form& form, const Chunk& c, std::size_t b, const GroupUnits& units) {
    alignas(64) Codes256 codes;
    if (DivideToCodes(c.x + 256 * b, units, codes)) form.storeCodes(codes, c.out + b * form.bytes);
    else form.scalarForm(c.block(b, form.bytes));
}

void EncodeAffine(const AffineType& type, const Form& form, GroupUnits (*storeScales)(const AffineScales&, std::byte*), Chunk& c) {
    if (c.columns) SetMeanSquares(c, type.meanSquareFactor);
    FitAffineScales(type, c);
    AffineScales scales[maxBlocks];
    WithScaleCodes(type, c.scales, c, [&](std::size_t b, std::uint16_t unit, std::span<const std::uint8_t> codes) {
        scales[b].d = unit;
        std::ranges::copy(codes, scales[b].scale.begin());
    });
    WithScaleCodes(type, c.mins, c, [&](std::size_t b, std::uint16_t unit, std::span<const std::uint8_t> codes) {
        scales[b].dmin = unit;
        std::ranges::copy(codes, scales[b].minimum.begin());
    });
    for (std::size_t b = 0; b < c.blocks; ++b) Finish(form, c, b, storeScales(scales[b], c.out + b * form.bytes));
}

void EncodeQ2K(const RowInput& row) {
    ForChunks(row, formQ2.bytes, [](Chunk& c) { EncodeAffine(affineQ2, formQ2, storeScalesQ2K, c); });
}
void EncodeQ4K(const RowInput& row) {
    ForChunks(row, formQ4.bytes, [](Chunk& c) { EncodeAffine(affineQ4, formQ4, storeScalesQ4K, c); });
}
void EncodeQ5K(const RowInput& row) {
    ForChunks(row, formQ5.bytes, [](Chunk& c) { EncodeAffine(affineQ5, formQ5, storeScalesQ5K, c); });
}

// Fits the listed groups of 16 values, and keeps in the list those that are unsure. Returns how many.
template <class F, class Fit>
std::size_t FitListed(Chunk& c, std::span<std::uint16_t> groups, Fit fitOf) {
    Batch<F> b;
    b.size = 16;
    std::size_t left = 0;
    ForBatches<F>(groups.size(), [&](std::size_t first, std::size_t count) {
        const std::span<const std::uint16_t> batch = groups.subspan(first, count);
        const bool inARow = batch.back() - batch.front() == static_cast<int>(count) - 1; // which is found faster
        b.load(inARow ? Groups<F>(16, batch.front(), count) : Groups<F>(16, batch), c.x, b.x);
        const UnsureFit<F> fit = fitOf(b);
        float scales[Shape<F>::vectors * maxLanes], unsure[Shape<F>::vectors * maxLanes];
        StoreLanes(fit.scale, count, scales);
        StoreLanes(IfThenElseZero(fit.unsure, Number<F>(1)), count, unsure);
        for (std::size_t g = 0; g < count; ++g) {
            const std::uint16_t group = groups[first + g];
            c.scales[group] = scales[g];
            groups[left] = group;
            left += unsure[g] != 0 ? 1 : 0;
        }
    });
    return left;
}

template <class F>
UnsureFit<F> FitBySquares(Batch<F>& b, int sweeps) {
    SetSquares(b);
    return FitBySweeps(b, 4, sweeps);
}

// In most groups no sweep moves a code, and in most others the second moves no more codes. The rest of each step is collected and
// fitted together, as a batch takes as long as its slowest group.
void FitQ3Plain(Chunk& c) {
    std::uint16_t groups[maxGroups];
    std::iota(groups, groups + 16 * c.blocks, std::uint16_t{0});
    std::size_t left = FitListed<Widest>(c, std::span(groups).first(16 * c.blocks), [](const auto& b) { return FitUnswept(b, 4); });
    left = FitListed<Widest>(c, std::span(groups).first(left), [](auto& b) { return FitBySquares(b, 2); });
    FitListed<Two<V>>(c, std::span(groups).first(left), [](auto& b) { return FitBySquares(b, 5); });
    bool any[maxBlocks] = {};
    SetSignedCodes(32, std::numeric_limits<float>::denorm_min(), c, any,
                   [](VI code) { return hn::Add(Clamped(code, -32, 31), hn::Set(Ints(), 32)); });
    for (std::size_t block = 0; block < c.blocks; ++block) {
        if (any[block]) continue;
        std::fill_n(c.codes + 16 * block, 16, std::uint8_t{0});
        c.units[block] = 0;
    }
}

void FitQ3Weighted(Chunk& c) {
    SetMeanSquares(c, 2);
    ForBatches<Wide>(16 * c.blocks, [&](std::size_t first, std::size_t count) {
        Batch<Wide> b;
        b.size = 16;
        const Groups<Wide> places(16, first, count);
        b.load(places, c.x, b.x);
        SetColumnWeights(c, places, b);
        Wide sum = Number<Wide>(0);
        for (std::size_t i = 0; i < 16; ++i) sum = Add(sum, b.W(i));
        StoreLanes(sum, count, c.groupWeights + first);
        StoreLanes(FitSymmetric(b, 4).scale, count, c.scales + first);
    });
    ForBatches<V>(c.blocks, [&](std::size_t first, std::size_t count) {
        Batch<V> b;
        b.size = 16;
        const Groups<V> places(16, first, count);
        b.load(places, c.scales, b.x);
        b.load(places, c.groupWeights, b.w);
        const SymmetricFit<V> fit = FitSymmetric(b, 32);
        StoreLanes(fit.scale, count, c.units + first);
        HWY_ALIGN std::int32_t codes[maxLanes];
        for (std::size_t i = 0; i < 16; ++i) {
            const VI code = hn::Add(Clamped(Nearest(hn::Mul(fit.inverse, b.X(i))), -32, 31), hn::Set(Ints(), 32));
            hn::Store(hn::IfThenZeroElse(hn::RebindMask(Ints(), fit.empty), code), Ints(), codes);
            for (std::size_t g = 0; g < count; ++g) c.codes[(first + g) * 16 + i] = static_cast<std::uint8_t>(codes[g]);
        }
    });
}

void EncodeQ3K(const RowInput& row) {
    ForChunks(row, formQ3.bytes, [](Chunk& c) {
        if (c.columns) FitQ3Weighted(c);
        else FitQ3Plain(c);
        for (std::size_t b = 0; b < c.blocks; ++b) {
            const auto codes = std::span<std::uint8_t, 16>(c.codes + 16 * b, 16);
            Finish(formQ3, c, b, storeScalesQ3K(codes, f32ToF16(c.units[b]), c.out + b * formQ3.bytes));
        }
    });
}

void EncodeQ6K(const RowInput& row) {
    ForChunks(row, formQ6.bytes, [](Chunk& c) {
        ForBatches<Wide>(16 * c.blocks, [&](std::size_t first, std::size_t count) {
            Batch<Wide> b;
            b.size = 16;
            const Groups<Wide> places(16, first, count);
            b.load(places, c.x, b.x);
            if (c.columns) b.load(places, c.columns, b.w);
            else SetSquares(b);
            StoreLanes(FitSymmetric(b, 32).scale, count, c.scales + first);
        });
        bool any[maxBlocks] = {};
        SetSignedCodes(128, emptyGroup, c, any, [](VI code) { return LowByte(AtMost(code, 127)); });
        for (std::size_t b = 0; b < c.blocks; ++b) {
            ScalesQ6 scales{{}, f32ToF16(c.units[b])};
            std::copy_n(c.codes + 16 * b, 16, reinterpret_cast<std::uint8_t*>(scales.codes.data()));
            if (any[b]) Finish(formQ6, c, b, storeScalesQ6K(scales, c.out + b * formQ6.bytes));
            else std::fill_n(c.out + b * formQ6.bytes, formQ6.bytes, std::byte{0});
        }
    });
}

RowEncoder KForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::Q2_K: return EncodeQ2K;
    case Dtype::Q3_K: return EncodeQ3K;
    case Dtype::Q4_K: return EncodeQ4K;
    case Dtype::Q5_K: return EncodeQ5K;
    case Dtype::Q6_K: return EncodeQ6K;
    default: return nullptr;
    }
}

} // namespace
} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::quant {

HWY_EXPORT(KForms);

RowEncoder kEncoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(KForms)(dtype); }

} // namespace wb::quant
#endif
