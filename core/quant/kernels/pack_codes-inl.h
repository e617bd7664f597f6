// SPDX-License-Identifier: MIT
// pack_codes.h a vector at a time. Included once per SIMD target.
#if defined(WB_QUANT_PACK_CODES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_QUANT_PACK_CODES_INL_H
#undef WB_QUANT_PACK_CODES_INL_H
#else
#define WB_QUANT_PACK_CODES_INL_H
#endif

#include "core/quant/kernels/pack_codes.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::quant::HWY_NAMESPACE {

// The shortest run of codes that a packing walks has 32.
using PackLanes = hwy::HWY_NAMESPACE::CappedTag<std::uint8_t, 32>;
using PackVector = hwy::HWY_NAMESPACE::Vec<PackLanes>;

HWY_INLINE PackVector LoadCodes(const Codes256& codes, std::size_t first) {
    return hwy::HWY_NAMESPACE::LoadU(PackLanes(), codes.data() + first);
}
HWY_INLINE void StorePacked(PackVector values, std::byte* out) {
    hwy::HWY_NAMESPACE::StoreU(values, PackLanes(), reinterpret_cast<std::uint8_t*>(out));
}
HWY_INLINE PackVector Masked(PackVector values, std::uint8_t mask) {
    return hwy::HWY_NAMESPACE::And(values, hwy::HWY_NAMESPACE::Set(PackLanes(), mask));
}

// packTwoBits of the codes shifted right by `shift`.
template <int shift>
HWY_INLINE void PackTwoBits(std::byte* out, const Codes256& codes) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto two = [&](std::size_t at) { return Masked(hn::ShiftRight<shift>(LoadCodes(codes, at)), 3); };
    for (std::size_t half = 0; half < 2; ++half) {
        for (std::size_t l = 0; l < 32; l += hn::Lanes(PackLanes())) {
            const std::size_t at = 128 * half + l;
            const PackVector low = hn::Or(two(at), hn::ShiftLeft<2>(two(at + 32)));
            const PackVector high = hn::Or(two(at + 64), hn::ShiftLeft<2>(two(at + 96)));
            StorePacked(hn::Or(low, hn::ShiftLeft<4>(high)), out + 32 * half + l);
        }
    }
}

template <std::size_t run>
HWY_INLINE void PackNibbles(std::byte* out, const Codes256& codes) {
    namespace hn = hwy::HWY_NAMESPACE;
    for (std::size_t at = 0; at < 256; at += 2 * run)
        for (std::size_t l = 0; l < run; l += hn::Lanes(PackLanes()))
            StorePacked(hn::Or(Masked(LoadCodes(codes, at + l), 15), hn::ShiftLeft<4>(Masked(LoadCodes(codes, at + run + l), 15))),
                        out + at / 2 + l);
}

template <int bit>
HWY_INLINE void PackBitPlane(std::byte* out, const Codes256& codes) {
    namespace hn = hwy::HWY_NAMESPACE;
    for (std::size_t m = 0; m < 32; m += hn::Lanes(PackLanes())) {
        PackVector bits = hn::Zero(PackLanes());
        for (std::size_t k = 8; k-- > 0;)
            bits = hn::Or(hn::Add(bits, bits), Masked(hn::ShiftRight<bit>(LoadCodes(codes, 32 * k + m)), 1));
        StorePacked(bits, out + m);
    }
}

} // namespace wb::quant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
