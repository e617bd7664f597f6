// SPDX-License-Identifier: MIT
#include "core/tensor/subnormals.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/subnormals_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace wb::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
std::uint64_t countSubnormals(Dtype dtype, std::span<const std::byte> bytes) { return scalar::countStoredSubnormals(dtype, bytes); }
#else

namespace hn = hwy::HWY_NAMESPACE;

// Subnormal magnitudes are 1 … 2^mantissaBits - 1: one unsigned comparison after 1 is subtracted.
template <class Code, int mantissaBits>
std::uint64_t count(Dtype dtype, std::span<const std::byte> bytes) {
    const hn::ScalableTag<Code> d;
    const auto magnitudeMask = hn::Set(d, static_cast<Code>(std::numeric_limits<Code>::max() >> 1));
    const auto one = hn::Set(d, Code{1});
    const auto limit = hn::Set(d, static_cast<Code>((Code{1} << mantissaBits) - 1));
    const auto* const codes = reinterpret_cast<const Code*>(bytes.data());
    const std::size_t elements = bytes.size() / sizeof(Code);
    std::uint64_t sum = 0;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= elements; i += hn::Lanes(d)) {
        const auto magnitude = hn::And(hn::LoadU(d, codes + i), magnitudeMask);
        sum += hn::CountTrue(d, hn::Lt(hn::Sub(magnitude, one), limit));
    }
    return sum + scalar::countStoredSubnormals(dtype, bytes.subspan(i * sizeof(Code)));
}

std::uint64_t countSubnormals(Dtype dtype, std::span<const std::byte> bytes) {
    switch (dtype) {
    case Dtype::F32: return count<std::uint32_t, 23>(dtype, bytes);
    case Dtype::F16: return count<std::uint16_t, 10>(dtype, bytes);
    case Dtype::BF16: return count<std::uint16_t, 7>(dtype, bytes);
    case Dtype::F8_E4M3:
    case Dtype::F8_E4M3FNUZ: return count<std::uint8_t, 3>(dtype, bytes);
    case Dtype::F8_E5M2:
    case Dtype::F8_E5M2FNUZ: return count<std::uint8_t, 2>(dtype, bytes);
    default: return scalar::countStoredSubnormals(dtype, bytes);
    }
}

#endif

} // namespace wb::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb {

HWY_EXPORT(countSubnormals);

std::uint64_t countStoredSubnormals(Dtype dtype, std::span<const std::byte> bytes) {
    return HWY_DYNAMIC_DISPATCH(countSubnormals)(dtype, bytes);
}

} // namespace wb
#endif
