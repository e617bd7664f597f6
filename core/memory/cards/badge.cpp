// SPDX-License-Identifier: MIT
#include "core/memory/cards/badge.h"

namespace wb::memory {

Result<Badge> fitBadge(const Subject& subject, std::span<const Memory> memories) {
    Settings settings;
    settings.context = defaultContext(subject.spec);
    WB_TRY_ASSIGN(const Weights weights, subject.weights(nullptr));
    WB_TRY(estimate(subject, weights, settings)); // names the parts that cannot be estimated
    if (!subject.hasWeights())
        return fail(ErrorCode::Unsupported, Reason("memory.weights_unknown"), About{subject.name},
                    WB_TEXT("{} does not describe the weights, so it cannot be checked whether they fit in memory."), subject.name);
    std::optional<Badge> best;
    for (const Memory& memory : memories) {
        const Fit fit = fitNow(subject, weights, settings, memory);
        if (best && fit.verdict > best->verdict) continue;
        best = {fit.verdict, memory.name, fit.need, memory.available(), settings.context};
    }
    return best.value_or(Badge{});
}

} // namespace wb::memory
