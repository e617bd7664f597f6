// SPDX-License-Identifier: MIT
// How blocks of 32 codes are written by the SIMD forms. Included once per SIMD target.
#if defined(WB_QUANT_BLOCK_CODES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_BLOCK_CODES_INL_H
#undef WB_QUANT_BLOCK_CODES_INL_H
#else
#define WB_QUANT_BLOCK_CODES_INL_H
#endif

#include "core/quant/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

HWY_INLINE std::uint32_t MaskBits(M mask) {
#if HWY_TARGET <= HWY_AVX3
    return mask.raw;
#else
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(Floats(), mask, bytes);
    return static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8);
#endif
}

// The low four bits of 32 codes, elements j and j+16 in byte j. Returns the fifth bits, bit j for element j.
template <class CodeOf>
HWY_INLINE std::uint32_t StoreNibbles(const float* x, const CodeOf& codeOf, std::byte* out) {
    const Ints di;
    std::uint32_t fifth = 0;
    const auto isHigh = [di](VI code) { return hn::RebindMask(Floats(), hn::Ne(hn::And(code, hn::Set(di, 16)), hn::Zero(di))); };
    for (std::size_t j = 0; j < 16; j += Lanes()) {
        const VI low = codeOf(hn::LoadU(Floats(), x + j));
        const VI high = codeOf(hn::LoadU(Floats(), x + 16 + j));
        const VI nibble = hn::Set(di, 15);
        const VI both = hn::Or(hn::And(low, nibble), hn::ShiftLeft<4>(hn::And(high, nibble)));
        hn::StoreU(hn::DemoteTo(Bytes(), both), Bytes(), reinterpret_cast<std::uint8_t*>(out) + j);
        fifth |= MaskBits(isHigh(low)) << j | MaskBits(isHigh(high)) << (16 + j);
    }
    return fifth;
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
