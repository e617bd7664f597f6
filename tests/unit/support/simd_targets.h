// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

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

} // namespace wb::test
