// SPDX-License-Identifier: MIT
#include "core/tensor/fast_decoder.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/tensor/decode_plain_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace wb::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the reference is as good, and the emulated f16 conversion would not quiet NaNs.
RowDecoder plainForms(Dtype) { return nullptr; }
#else

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
template <class Stored>
using StoredTag = hn::Rebind<Stored, Floats>;

template <class Stored>
HWY_INLINE hn::Vec<Floats> toF32(hn::Vec<StoredTag<Stored>> values) {
    const Floats df;
    if constexpr (!std::is_integral_v<Stored>) return hn::PromoteTo(df, values);
    else if constexpr (sizeof(Stored) == sizeof(float)) return hn::ConvertTo(df, values);
    else return hn::ConvertTo(df, hn::PromoteTo(hn::RebindToSigned<Floats>(), values));
}

// What does not fill a vector is left to the reference.
template <class Stored, Dtype dtype>
void rows(const std::byte* in, float* out, std::size_t count) {
    const Floats df;
    const StoredTag<Stored> ds;
    const std::size_t lanes = hn::Lanes(df);
    const auto* const stored = reinterpret_cast<const Stored*>(in);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(toF32<Stored>(hn::LoadU(ds, stored + i)), df, out + i);
    scalar::plainDecoder(dtype)(in + i * sizeof(Stored), out + i, count - i);
}

RowDecoder plainForms(Dtype dtype) {
    switch (dtype) {
    case Dtype::F16: return rows<hwy::float16_t, Dtype::F16>;
    case Dtype::BF16: return rows<hwy::bfloat16_t, Dtype::BF16>;
    case Dtype::I32: return rows<std::int32_t, Dtype::I32>;
    case Dtype::I16: return rows<std::int16_t, Dtype::I16>;
    case Dtype::I8: return rows<std::int8_t, Dtype::I8>;
    case Dtype::U16: return rows<std::uint16_t, Dtype::U16>;
    case Dtype::U8:
    case Dtype::Bool: return rows<std::uint8_t, Dtype::U8>;
    default: return nullptr;
    }
}

#endif

} // namespace wb::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::fast {

HWY_EXPORT(plainForms);

RowDecoder plainDecoder(Dtype dtype) { return HWY_DYNAMIC_DISPATCH(plainForms)(dtype); }

} // namespace wb::fast
#endif
