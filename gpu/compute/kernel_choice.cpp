// SPDX-License-Identifier: MIT
#include "gpu/compute/kernel_choice.h"

#include <fmt/format.h>

namespace wb::gpu::compute {

FastTypes chooseKernels(std::span<const FastVerdict> verdicts, std::span<const Dtype> types, infer::KernelSet set) {
    FastTypes fast;
    for (const Dtype type : types) {
        const Dtype tested = testedDtype(type);
        const FastVerdict* const verdict = tested == Dtype::Unknown ? nullptr : bestForm(verdicts, tested);
        if (verdict && isUsed(*verdict, set)) fast.types.push_back({type, verdict->form, isUsedForBatches(*verdict, set)});
    }
    const FastVerdict* const attention = bestForm(verdicts, Dtype::Unknown);
    fast.attention = attention && isUsed(*attention, set);
    return fast;
}

std::string refusal(const FastVerdict& verdict) {
    if (!verdict.isRight()) return fmt::format("wrong: error {:.1e}", verdict.error);
    return verdict.isBetter() ? std::string() : fmt::format("{:.2f}x the speed of the exact kernel", verdict.speedup);
}

} // namespace wb::gpu::compute
