// SPDX-License-Identifier: MIT
#include "core/infer/cpu/kernels/multiply_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/infer/cpu/kernels/expanded_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/infer/cpu/kernels/expanded-inl.h"

// Many tokens; lattices are in expanded_lattices_simd.cpp.
HWY_BEFORE_NAMESPACE();
namespace wb::infer::cpu::HWY_NAMESPACE {

std::array<Multiply, panelTypes> expandedForms([[maybe_unused]] ByteProducts products) {
    std::array<Multiply, panelTypes> forms{};
#if WB_PAIR_SUMS || WB_ARM_DOTS
    withDot(products, [&]<class Dot>(Dot) { forms = integerForms<ExpandedForms<Dot>::template Form>(); });
#endif
    return forms;
}

} // namespace wb::infer::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wb::infer::cpu {

HWY_EXPORT(expandedForms);

std::array<Multiply, panelTypes> expandedSimd(ByteProducts products) { return HWY_DYNAMIC_DISPATCH(expandedForms)(products); }

} // namespace wb::infer::cpu
#endif
