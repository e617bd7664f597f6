// SPDX-License-Identifier: MIT
// Included once for each SIMD target, so it has a guard for each instead of #pragma once.
//
// Four codes of each row times the same four signed codes of a token, added to the row's sum: with what the target has, and with
// instructions that not every CPU of a target has (ByteProducts in kernels.h). Highway 1.0 knows none of the latter, so they are
// written out. A dot product with `isSigned` takes codes of 8 bits without their bias.
#if defined(WB_INFER_DOTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_INFER_DOTS_INL_H
#undef WB_INFER_DOTS_INL_H
#else
#define WB_INFER_DOTS_INL_H
#endif

#include "core/infer/cpu/kernels/sums-inl.h"

// Which instructions beyond those of the target can be used: VNNI in its EVEX form and AMX, VNNI in vectors of 256 bits, and those
// of Armv8.2 and Armv8.6.
#undef WB_AVX512_VNNI
#undef WB_AVX_VNNI
#undef WB_ARM_DOTS
#define WB_AVX512_VNNI 0
#define WB_AVX_VNNI 0
#define WB_ARM_DOTS 0
#if defined(__GNUC__) && HWY_TARGET == HWY_AVX3
#undef WB_AVX512_VNNI
#define WB_AVX512_VNNI 1
#elif defined(__GNUC__) && HWY_TARGET == HWY_AVX2
#undef WB_AVX_VNNI
#define WB_AVX_VNNI 1
#elif defined(__GNUC__) && HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64
#undef WB_ARM_DOTS
#define WB_ARM_DOTS 1
#endif

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {
namespace {

// Any target, four multiplications.
struct PortableDot {
    static constexpr bool isSigned = false;
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        const Ints d;
        const auto words = hn::BitCast(Words(), codes);
        const auto byte = hn::Set(Words(), 255u);
        const auto* const x = reinterpret_cast<const std::int8_t*>(four);
        sum = hn::Add(sum, hn::Mul(hn::BitCast(d, hn::And(words, byte)), hn::Set(d, std::int32_t{x[0]})));
        sum = hn::Add(sum, hn::Mul(hn::BitCast(d, hn::And(hn::ShiftRight<8>(words), byte)), hn::Set(d, std::int32_t{x[1]})));
        sum = hn::Add(sum, hn::Mul(hn::BitCast(d, hn::And(hn::ShiftRight<16>(words), byte)), hn::Set(d, std::int32_t{x[2]})));
        return hn::Add(sum, hn::Mul(hn::BitCast(d, hn::ShiftRight<24>(words)), hn::Set(d, std::int32_t{x[3]})));
    }
};

#if WB_AVX512_VNNI
struct VnniDot {
    static constexpr bool isSigned = false;
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        __asm__("vpdpbusd %2%{1to16%}, %1, %0" : "+v"(sum.raw) : "v"(codes.raw), "m"(*ints(four)));
        return sum;
    }
};
#endif

#if WB_AVX_VNNI
// AVX-VNNI. A CPU that has the instruction in AVX-512 alone runs the same kernels by the longer encoding `evex`.
template <bool evex>
struct AvxVnniDot {
    static constexpr bool isSigned = false;
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        const VB x = fourCodes(four);
        if constexpr (evex) __asm__("%{evex%} vpdpbusd %2, %1, %0" : "+x"(sum.raw) : "x"(codes.raw), "x"(x.raw));
        else __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum.raw) : "x"(codes.raw), "x"(x.raw));
        return sum;
    }
};
#endif

#if WB_ARM_DOTS
// What allows these instructions in an assembler: that of the GNU binutils knows them in whole versions of the architecture alone.
#ifdef __clang__
#define WB_ARCH_DOTS ".arch_extension dotprod\n\t.arch_extension i8mm\n\t"
#else
#define WB_ARCH_DOTS ".arch armv8.6-a+crypto\n\t"
#endif

// Any 64-bit ARM: products in 16 bits, of which two fit together.
struct NeonDot {
    static constexpr bool isSigned = true;
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        const int8x16_t a = vreinterpretq_s8_u8(codes.raw), x = vreinterpretq_s8_u8(fourCodes(four).raw);
        const int16x8_t low = vmull_s8(vget_low_s8(a), vget_low_s8(x)), high = vmull_high_s8(a, x);
        return VI{vpadalq_s16(sum.raw, vpaddq_s16(low, high))};
    }
};

// FEAT_DotProd.
struct SignedDot {
    static constexpr bool isSigned = true;
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        const VB x = fourCodes(four);
        __asm__(WB_ARCH_DOTS "sdot %0.4s, %1.16b, %2.16b" : "+w"(sum.raw) : "w"(codes.raw), "w"(x.raw));
        return sum;
    }

    // The same with columns 4 * i … of 16 of the token.
    template <int i>
    static HWY_INLINE VI addPart(VI sum, VB codes, VB x) {
        __asm__(WB_ARCH_DOTS "sdot %0.4s, %1.16b, %2.4b[%c3]" : "+w"(sum.raw) : "w"(codes.raw), "w"(x.raw), "i"(i));
        return sum;
    }
};

// FEAT_I8MM, which brings the product of unsigned and signed bytes, too.
struct MixedDot {
    static constexpr bool isSigned = false;
    static HWY_INLINE VI add(VI sum, VB codes, const std::byte* four) {
        const VB x = fourCodes(four);
        __asm__(WB_ARCH_DOTS "usdot %0.4s, %1.16b, %2.16b" : "+w"(sum.raw) : "w"(codes.raw), "w"(x.raw));
        return sum;
    }

    // Sums of two rows by two tokens, [row][token], of 8 columns: codes and x are [2][8].
    static HWY_INLINE VI addTwoByTwo(VI sum, VB codes, VB x) {
        __asm__(WB_ARCH_DOTS "usmmla %0.4s, %1.16b, %2.16b" : "+w"(sum.raw) : "w"(codes.raw), "w"(x.raw));
        return sum;
    }
};
#undef WB_ARCH_DOTS
#endif

// Whether codes with a bias of 128 are multiplied without it.
template <class Panel, class Dot>
constexpr bool takesBiasOff = Dot::isSigned && Panel::biasShift == 7;

template <class Panel, class Dot>
HWY_INLINE VB codesForDot(VB codes) {
    if constexpr (takesBiasOff<Panel, Dot>) return hn::Xor(codes, hn::Set(Bytes(), std::uint8_t{128}));
    else return codes;
}

// The first value of a sum: what takes the bias away, if that is left to it.
template <class Panel, class Dot>
HWY_INLINE VI startForDot(std::int32_t negativeSum) {
    if constexpr (takesBiasOff<Panel, Dot>) return hn::Zero(Ints());
    else return startFromNegativeSum<Panel>(negativeSum);
}

// Stands for sums of two products in 16 bits, as many as fit (sums-inl.h): targets without a dot product of bytes.
struct PairSums {
    static constexpr bool isSigned = false;
};

// Calls use(Dot()) for what multiplies bytes with these products, if this target has it.
template <class Use>
void withDot(ByteProducts products, Use use) {
    switch (products) {
#if WB_PAIR_SUMS
    case ByteProducts::None: return use(PairSums());
#elif WB_ARM_DOTS
    case ByteProducts::None: return use(NeonDot());
#else
    case ByteProducts::None: return use(PortableDot());
#endif
#if WB_AVX_VNNI
    case ByteProducts::AvxVnni: return use(AvxVnniDot<false>());
    case ByteProducts::AvxVnniByEvex: return use(AvxVnniDot<true>());
#endif
#if WB_AVX512_VNNI
    case ByteProducts::Avx512Vnni:
    case ByteProducts::Amx: return use(VnniDot());
#endif
#if WB_ARM_DOTS
    case ByteProducts::DotProd: return use(SignedDot());
    case ByteProducts::I8mm: return use(MixedDot());
#endif
    default: return;
    }
}

} // namespace
} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
