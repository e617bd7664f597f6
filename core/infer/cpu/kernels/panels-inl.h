// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// How the vectors of a target read panels (panels.h): where the codes and scales of 32 columns lie. In all functions `r` is the
// first row of the slice.
#if defined(WB_INFER_PANELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_PANELS_INL_H
#undef WB_INFER_PANELS_INL_H
#else
#define WB_INFER_PANELS_INL_H
#endif

#include "core/infer/cpu/kernels/kernels.h"
#include "core/infer/cpu/kernels/unroll.h"
#include "core/tensor/tables.h"

#include <hwy/highway.h>

#include <utility>

// A target without vectors has the readable form.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A lane is a row of the panel; a vector covers `lanes` of its 16 rows and a panel `slices` vectors.
using Floats = hn::CappedTag<float, panelRows>;
using Ints = hn::RebindToSigned<Floats>;
using Words = hn::RebindToUnsigned<Floats>;
using Bytes = hn::Repartition<std::uint8_t, Floats>;
using Pairs = hn::Repartition<std::uint16_t, Floats>;
using Halves = hn::Rebind<hwy::float16_t, Floats>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;
using VB = hn::Vec<Bytes>;
constexpr std::size_t lanes = hn::MaxLanes(Floats());
constexpr std::size_t slices = panelRows / lanes;

HWY_INLINE const std::uint8_t* raw(const std::byte* at) { return reinterpret_cast<const std::uint8_t*>(at); }
HWY_INLINE const float* floats(const std::byte* at) { return reinterpret_cast<const float*>(at); }
HWY_INLINE const std::int32_t* ints(const std::byte* at) { return reinterpret_cast<const std::int32_t*>(at); }

HWY_INLINE VF loadHalves(const std::byte* at) {
    return hn::PromoteTo(Floats(), hn::LoadU(Halves(), reinterpret_cast<const hwy::float16_t*>(at)));
}
HWY_INLINE VI loadBytes(const std::byte* at) {
    const hn::Rebind<std::uint8_t, Floats> d8;
    return hn::PromoteTo(Ints(), hn::LoadU(d8, raw(at)));
}
HWY_INLINE VF unsignedBytes(const std::byte* at) { return hn::ConvertTo(Floats(), loadBytes(at)); }
HWY_INLINE VF signedBytes(const std::byte* at) {
    const hn::Rebind<std::int8_t, Floats> d8;
    return hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), hn::LoadU(d8, reinterpret_cast<const std::int8_t*>(at))));
}

// A vector that is used several times is loaded once: GCC 12 would make it an operand in memory of each use, and a line that is not
// in the cache yet is then asked for as often.
HWY_INLINE VB vectorAt(const std::byte* at, std::size_t r) {
    VB vector = hn::LoadU(Bytes(), raw(at) + 4 * r);
#if HWY_ARCH_X86 && defined(__GNUC__) && !defined(__clang__)
    __asm__("" : "+v"(vector.raw));
#endif
    return vector;
}

// Bits [from, from + width) of every byte, moved to bit `to` on.
template <int from, int width, int to = 0>
HWY_INLINE VB expandBits(VB bytes) {
    auto pairs = hn::BitCast(Pairs(), bytes);
    if constexpr (to > from) pairs = hn::ShiftLeft<to - from>(pairs);
    if constexpr (to < from) pairs = hn::ShiftRight<from - to>(pairs);
    return hn::And(hn::BitCast(Bytes(), pairs), hn::Set(Bytes(), static_cast<std::uint8_t>(((1 << width) - 1) << to)));
}

// Nibbles of 32 columns: vector j of the low halves, then of the high ones.
template <std::size_t j>
HWY_INLINE VB nibbles(const std::byte* at, std::size_t r) {
    return expandBits<(j < 4 ? 0 : 4), 4>(vectorAt(at + 64 * (j % 4), r));
}

// A panel's codes<record, j>() are columns 4j … 4j + 3 of its record. They are unsigned; the sums of a token's codes times
// 2^biasShift are taken away (-1: nothing is). `largest` is the largest code. `splits`: the last 16 columns have secondScale().
// `minimums`: none, one of all columns, or one for each half. `recordStride`, if there is one: codes<record, j>(block) are
// codes<0, j>(block + record * recordStride). `together`, if there is one: as many records share vectors. `jumps`: not all of those
// lie side by side.

struct PanelQ8_0 {
    static constexpr std::size_t bytes = 544, records = 1, minimums = 0;
    static constexpr int biasShift = 7, largest = 255;
    static constexpr bool splits = false;
    template <std::size_t, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return vectorAt(block + 64 * j, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 512 + 2 * r); }
};

struct PanelQ4_0 {
    static constexpr std::size_t bytes = 288, records = 1, minimums = 0;
    static constexpr int biasShift = 3, largest = 15;
    static constexpr bool splits = false;
    template <std::size_t, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return nibbles<j>(block, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 256 + 2 * r); }
};

struct PanelQ4_1 : PanelQ4_0 {
    static constexpr std::size_t bytes = 320, minimums = 1;
    static constexpr int biasShift = -1;
    static HWY_INLINE VF minimum(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 288 + 2 * r); }
};

struct PanelQ5_0 {
    static constexpr std::size_t bytes = 352, records = 1, minimums = 0;
    static constexpr int biasShift = 4, largest = 31;
    static constexpr bool splits = true;
    template <std::size_t, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return hn::Or(nibbles<j>(block, r), expandBits<j, 1, 4>(vectorAt(block + 256, r)));
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 320 + 2 * r); }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) { return scale(block, record, r); }
};

struct PanelQ5_1 : PanelQ5_0 {
    static constexpr std::size_t bytes = 384, minimums = 2;
    static constexpr int biasShift = -1;
    static HWY_INLINE VF minimum(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 352 + 2 * r); }
    static HWY_INLINE VF secondMinimum(const std::byte* block, std::size_t record, std::size_t r) {
        return minimum(block, record, r);
    }
};

struct PanelQ2_K {
    static constexpr std::size_t bytes = 1344, records = 8, minimums = 2, together = 4;
    static constexpr int biasShift = -1, largest = 3;
    static constexpr bool splits = true;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return expandBits<record % 4 * 2, 2>(vectorAt(block + 320 + record / 4 * 512 + 64 * j, r));
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return scaleAt(block, block + 64 + record * 32, r);
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) {
        return scaleAt(block, block + 80 + record * 32, r);
    }
    static HWY_INLINE VF minimum(const std::byte* block, std::size_t record, std::size_t r) {
        return minimumAt(block, block + 64 + record * 32, r);
    }
    static HWY_INLINE VF secondMinimum(const std::byte* block, std::size_t record, std::size_t r) {
        return minimumAt(block, block + 80 + record * 32, r);
    }

private:
    static HWY_INLINE VF scaleAt(const std::byte* block, const std::byte* both, std::size_t r) {
        const VI code = hn::And(loadBytes(both + r), hn::Set(Ints(), 15));
        return hn::Mul(loadHalves(block + 2 * r), hn::ConvertTo(Floats(), code));
    }
    static HWY_INLINE VF minimumAt(const std::byte* block, const std::byte* both, std::size_t r) {
        const VI code = hn::ShiftRight<4>(loadBytes(both + r));
        return hn::Mul(hn::Neg(loadHalves(block + 32 + 2 * r)), hn::ConvertTo(Floats(), code));
    }
};

// Signed scales of 16 columns after the f16 d.
struct SignedScales {
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), signedBytes(block + 32 + record * 32 + r));
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), signedBytes(block + 48 + record * 32 + r));
    }
};

struct PanelQ3_K : SignedScales {
    static constexpr std::size_t bytes = 1824, records = 8, minimums = 0, together = 2;
    static constexpr int biasShift = 2, largest = 7;
    static constexpr bool splits = true, jumps = true;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return hn::Or(expandBits<record % 4 * 2, 2>(vectorAt(block + 800 + record / 4 * 512 + 64 * j, r)),
                      expandBits<record, 1, 2>(vectorAt(block + 288 + 64 * j, r)));
    }
};

struct PanelQ4_K {
    static constexpr std::size_t bytes = 2368, records = 8, minimums = 1, together = 2;
    static constexpr int biasShift = -1, largest = 15;
    static constexpr bool splits = false, jumps = true;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return expandBits<record % 2 * 4, 4>(vectorAt(block + 320 + record / 2 * 512 + 64 * j, r));
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), unsignedBytes(block + 64 + record * 16 + r));
    }
    static HWY_INLINE VF minimum(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(hn::Neg(loadHalves(block + 32 + 2 * r)), unsignedBytes(block + 192 + record * 16 + r));
    }
};

struct PanelQ5_K {
    static constexpr std::size_t bytes = 2880, records = 8, minimums = 2, together = 2;
    static constexpr int biasShift = -1, largest = 31;
    static constexpr bool splits = true, jumps = true;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return hn::Or(expandBits<record % 2 * 4, 4>(vectorAt(block + 832 + record / 2 * 512 + 64 * j, r)),
                      expandBits<record, 1, 4>(vectorAt(block + 320 + 64 * j, r)));
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return PanelQ4_K::scale(block, record, r);
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) { return scale(block, record, r); }
    static HWY_INLINE VF minimum(const std::byte* block, std::size_t record, std::size_t r) {
        return PanelQ4_K::minimum(block, record, r);
    }
    static HWY_INLINE VF secondMinimum(const std::byte* block, std::size_t record, std::size_t r) {
        return minimum(block, record, r);
    }
};

struct PanelQ6_K : SignedScales {
    static constexpr std::size_t bytes = 3360, records = 8, minimums = 0, together = 4;
    static constexpr int biasShift = 5, largest = 63;
    static constexpr bool splits = true;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        constexpr int quarter = record % 4;
        const std::byte* const at = block + 288 + record / 4 * 1536 + 192 * j;
        return hn::Or(expandBits<quarter / 2 * 4, 4>(vectorAt(at + 64 + 64 * (quarter % 2), r)),
                      expandBits<quarter * 2, 2, 4>(vectorAt(at, r)));
    }
};

// Levels of nibbles plus the bias, for a lookup in every 16 bytes of a vector.
template <int biasShift, class Levels>
HWY_INLINE VB levelTable(const Levels& levels) {
    const auto stored = hn::LoadDup128(hn::Repartition<std::int8_t, Floats>(), levels.data());
    return hn::Add(hn::BitCast(Bytes(), stored), hn::Set(Bytes(), static_cast<std::uint8_t>(1 << biasShift)));
}

struct PanelIQ4_NL {
    static constexpr std::size_t bytes = 288, records = 1, minimums = 0;
    static constexpr int biasShift = 7, largest = 255;
    static constexpr bool splits = false;
    template <std::size_t, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return hn::TableLookupBytes(levelTable<biasShift>(tables::values_iq4), nibbles<j>(block, r));
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 256 + 2 * r); }
};

struct PanelIQ4_XS {
    static constexpr std::size_t bytes = 2208, records = 8, minimums = 0, recordStride = 256;
    static constexpr int biasShift = 7, largest = 255;
    static constexpr bool splits = false;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return PanelIQ4_NL::codes<0, j>(block + 160 + record * 256, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return hn::Mul(loadHalves(block + 2 * r), signedBytes(block + 32 + record * 16 + r));
    }
};

struct PanelMXFP4 {
    static constexpr std::size_t bytes = 272, records = 1, minimums = 0;
    static constexpr int biasShift = 4, largest = 28;
    static constexpr bool splits = true;
    template <std::size_t, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return hn::TableLookupBytes(levelTable<biasShift>(tables::values_fp4), nibbles<j>(block, r));
    }
    // Half of 2^(code - 127): codes 0 and 1 are subnormal numbers (core/tensor/half.h).
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) {
        const VI code = loadBytes(block + 256 + r), one = hn::Set(Ints(), 1);
        const VI subnormal = hn::ShiftLeft<21>(hn::Add(code, one));
        const VI normal = hn::ShiftLeft<23>(hn::Sub(code, one));
        return hn::BitCast(Floats(), hn::IfThenElse(hn::Gt(code, one), normal, subnormal));
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) { return scale(block, record, r); }
};

struct PanelNVFP4 {
    static constexpr std::size_t bytes = 576, records = 2, minimums = 0;
    static constexpr int biasShift = 4, largest = 28;
    static constexpr bool splits = true;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        const VB both = vectorAt(block + 64 + record * 256 + 64 * (j / 4 * 2 + j % 2), r);
        return hn::TableLookupBytes(levelTable<biasShift>(tables::values_fp4), expandBits<(j % 4 < 2 ? 0 : 4), 4>(both));
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t record, std::size_t r) {
        return scaleAt(block + record * 32 + r);
    }
    static HWY_INLINE VF secondScale(const std::byte* block, std::size_t record, std::size_t r) {
        return scaleAt(block + record * 32 + 16 + r);
    }

private:
    // Half of UE4M3, whose code 127 is zero (core/tensor/half.h): mantissa times 2^(exponent - 11), exponents from 1 on.
    static HWY_INLINE VF scaleAt(const std::byte* at) {
        const VI stored = loadBytes(at), one = hn::Set(Ints(), 1);
        const VI code = hn::IfThenZeroElse(hn::Eq(stored, hn::Set(Ints(), 127)), hn::And(stored, hn::Set(Ints(), 127)));
        const VI field = hn::ShiftRight<3>(code), fraction = hn::And(code, hn::Set(Ints(), 7));
        const VI mantissa = hn::Or(fraction, hn::IfThenElseZero(hn::Gt(field, hn::Zero(Ints())), hn::Set(Ints(), 8)));
        const VI power = hn::ShiftLeft<23>(hn::Add(hn::Max(field, one), hn::Set(Ints(), 127 - 11)));
        return hn::Mul(hn::ConvertTo(Floats(), mantissa), hn::BitCast(Floats(), power));
    }
};

struct PanelQ8_K {
    static constexpr std::size_t bytes = 4160, records = 8, minimums = 0, recordStride = 512;
    static constexpr int biasShift = 7, largest = 255;
    static constexpr bool splits = false;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return vectorAt(block + 64 + record * 512 + 64 * j, r);
    }
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) {
        return hn::LoadU(Floats(), floats(block) + r);
    }
};

// One f16 scale of all columns, before the codes, which are one more than the levels.
struct PanelOneScale {
    static constexpr std::size_t minimums = 0;
    static constexpr int biasShift = 0;
    static constexpr bool splits = false;
    static HWY_INLINE VF scale(const std::byte* block, std::size_t, std::size_t r) { return loadHalves(block + 2 * r); }
};

struct PanelQ1_0 : PanelOneScale {
    static constexpr std::size_t bytes = 288, records = 4;
    static constexpr int largest = 2;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return expandBits<j, 1, 1>(vectorAt(block + 32 + 64 * record, r));
    }
};

struct PanelQ2_0 : PanelOneScale {
    static constexpr std::size_t bytes = 288, records = 2;
    static constexpr int largest = 3;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return expandBits<j % 4 * 2, 2>(vectorAt(block + 32 + record * 128 + j / 4 * 64, r));
    }
};

struct PanelTQ1_0 : PanelOneScale {
    static constexpr std::size_t bytes = 864, records = 8, together = 8;
    static constexpr int largest = 2;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        constexpr std::size_t quarter = record * 2 + j / 4; // of 16 columns
        if constexpr (record < 5) return trits<record>(vectorAt(block + 32 + 64 * j, r));
        else if constexpr (quarter < 15) return trits<quarter - 10>(vectorAt(block + 544 + 64 * (j % 4), r));
        else return trits<j % 4>(vectorAt(block + 800, r));
    }

private:
    // Trit n of every byte (core/tensor/block_codes.h): the bytes times 3^n, then the two bits above a last multiplication by 3.
    // A quarter of that are two averages, which round up, so that 3 is taken from the bytes.
    template <std::size_t n>
    static HWY_INLINE VB trits(VB bytes) {
        if constexpr (n > 0) return trits<n - 1>(hn::Add(bytes, hn::Add(bytes, bytes)));
        else
            return expandBits<6, 2>(
                hn::AverageRound(bytes, hn::AverageRound(hn::SaturatedSub(bytes, hn::Set(Bytes(), 3)), hn::Zero(Bytes()))));
    }
};

struct PanelTQ2_0 : PanelOneScale {
    static constexpr std::size_t bytes = 1056, records = 8, together = 4;
    static constexpr int largest = 3;
    template <std::size_t record, std::size_t j>
    static HWY_INLINE VB codes(const std::byte* block, std::size_t r) {
        return expandBits<record % 4 * 2, 2>(vectorAt(block + 32 + record / 4 * 512 + 64 * j, r));
    }
};

template <class Panel>
consteval std::size_t countTogether() {
    if constexpr (requires { Panel::together; }) return Panel::together;
    else return 1;
}
template <class Panel>
constexpr std::size_t recordsTogether = countTogether<Panel>();

template <class Panel>
constexpr bool jumpsInBlock = requires { Panel::jumps; };

// The panels of integers in the order of PanelType, after the three of floats and before lattices, which are not stored column by
// column.
template <template <class> class Form>
constexpr std::array<Multiply, panelTypes> integerForms() {
    return {nullptr,
            nullptr,
            nullptr,
            Form<PanelQ8_0>::multiply,
            Form<PanelQ4_0>::multiply,
            Form<PanelQ4_1>::multiply,
            Form<PanelQ5_0>::multiply,
            Form<PanelQ5_1>::multiply,
            Form<PanelQ2_K>::multiply,
            Form<PanelQ3_K>::multiply,
            Form<PanelQ4_K>::multiply,
            Form<PanelQ5_K>::multiply,
            Form<PanelQ6_K>::multiply,
            Form<PanelIQ4_NL>::multiply,
            Form<PanelIQ4_XS>::multiply,
            Form<PanelMXFP4>::multiply,
            Form<PanelNVFP4>::multiply,
            Form<PanelQ8_0>::multiply,
            Form<PanelQ8_K>::multiply,
            Form<PanelQ1_0>::multiply,
            Form<PanelQ2_0>::multiply,
            Form<PanelTQ1_0>::multiply,
            Form<PanelTQ2_0>::multiply};
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
