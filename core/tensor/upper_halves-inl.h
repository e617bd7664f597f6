// SPDX-License-Identifier: MIT
// Included once per SIMD target.
#if defined(WB_TENSOR_UPPER_HALVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef WB_TENSOR_UPPER_HALVES_INL_H
#undef WB_TENSOR_UPPER_HALVES_INL_H
#else
#define WB_TENSOR_UPPER_HALVES_INL_H
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wb::HWY_NAMESPACE {

// To be called after the last vector and before plain code where GCC 12 leaves it out by itself, as it does in some functions: the
// SSE instructions of plain code would wait for the upper halves of registers, and take several times as long.
HWY_INLINE void ForgetUpperHalves() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    _mm256_zeroupper();
#endif
}

} // namespace wb::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
