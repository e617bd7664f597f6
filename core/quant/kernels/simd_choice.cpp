// SPDX-License-Identifier: MIT
#include "core/quant/kernels/simd_choice.h"

#include <hwy/targets.h>

#include <cstdint>

namespace wb::quant {
namespace {

bool scalarForm = false;

// The level of that name, or 0. Better levels have lower bits.
std::int64_t levelFromName(std::string_view name) {
    for (const std::int64_t level : hwy::SupportedAndGeneratedTargets())
        if (name == (level == HWY_AVX3 ? "AVX-512" : hwy::TargetName(level))) return level;
    return 0;
}

void forbid(std::int64_t levels) {
    hwy::DisableTargets(levels);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

} // namespace

bool chooseSimd(std::string_view choice) {
    const bool all = choice.empty() || choice == "scalar";
    const std::int64_t level = all ? 0 : levelFromName(choice);
    if (!all && level == 0) return false;
    scalarForm = choice == "scalar";
    forbid(all ? 0 : level - 1);
    return true;
}

bool usesScalarForm() { return scalarForm; }

} // namespace wb::quant
