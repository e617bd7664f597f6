// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace wb::test {

// Calls `body` once for each SIMD target that was compiled and that this machine has, with that target chosen for all dispatched
// kernels; failures inside name the target. The room under test must link hwy::hwy.
template <class Body>
void forEachSimdTarget(Body body) {
    for (const auto target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        body();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

// Whether the upper halves of vector registers hold something, as a kernel must not leave them (core/tensor/upper_halves-inl.h).
// False where the processor does not tell: XGETBV with 1, Intel 64 and IA-32 Architectures Software Developer's Manual, vol.
// 1, 13.3.
inline bool usesUpperHalves() {
#ifdef __x86_64__
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(13, 1, &a, &b, &c, &d) == 0 || (a & 4) == 0) return false;
    __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
    return (a & 4) != 0;
#else
    return false;
#endif
}

} // namespace wb::test
