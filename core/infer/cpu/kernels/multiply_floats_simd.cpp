// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/multiply_floats_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
// Without vectors the readable form is as good.
MultiplyForms floatForms() { return {}; }
#else

namespace {

template <class Stored>
HWY_INLINE VF loadWeights(const std::byte* at) {
    if constexpr (std::is_same_v<Stored, float>) return hn::LoadU(Floats(), floats(at));
    else return hn::PromoteTo(Floats(), hn::LoadU(hn::Rebind<Stored, Floats>(), reinterpret_cast<const Stored*>(at)));
}

template <class Stored, std::size_t T, std::size_t panels>
HWY_INLINE void multiplySlice(const Product& p, std::size_t r) {
    VF acc[panels][T];
    for (auto& panel : acc)
        for (VF& sum : panel) sum = hn::Zero(Floats());
    const float* x = floats(p.activations);
    const std::byte* weights = p.panel + r * sizeof(Stored);
    for (std::size_t k = 0; k < p.blocks; ++k, x += T, weights += panelRows * sizeof(Stored)) {
        WB_UNROLL for (std::size_t n = 0; n < panels; ++n) {
            const VF w = loadWeights<Stored>(weights + n * p.panelBytes);
            WB_UNROLL for (std::size_t t = 0; t < T; ++t) { acc[n][t] = hn::MulAdd(w, hn::Set(Floats(), x[t]), acc[n][t]); }
        }
    }
    WB_UNROLL for (std::size_t n = 0; n < panels; ++n) {
        WB_UNROLL for (std::size_t t = 0; t < T; ++t) { hn::StoreU(acc[n][t], Floats(), p.out + t * p.stride + n * panelRows + r); }
    }
}

template <class Stored, std::size_t T, std::size_t panels>
void multiplyFloats(const Product& p) {
    for (std::size_t s = 0; s < slices; ++s) multiplySlice<Stored, T, panels>(p, s * lanes);
}

template <std::size_t panels>
void setFloats(std::array<Multiply, panelTypes>& forms) {
    forms[0] = multiplyFloats<float, 1, panels>;
    forms[1] = multiplyFloats<hwy::float16_t, 1, panels>;
    forms[2] = multiplyFloats<hwy::bfloat16_t, 1, panels>;
}

} // namespace

MultiplyForms floatForms() {
    MultiplyForms forms;
    setFloats<1>(forms.one);
    setFloats<widePanels>(forms.wide);
    forms.groups[0] = eachGroup<multiplyFloats<float, groupTokens, 1>>;
    forms.groups[1] = eachGroup<multiplyFloats<hwy::float16_t, groupTokens, 1>>;
    forms.groups[2] = eachGroup<multiplyFloats<hwy::bfloat16_t, groupTokens, 1>>;
    return forms;
}

#endif

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(floatForms);

MultiplyForms multiplyFloats() { return HWY_DYNAMIC_DISPATCH(floatForms)(); }

} // namespace wb::infer::cpu
#endif
