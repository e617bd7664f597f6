// SPDX-License-Identifier: MIT
#include "core/text/token_logit.h"

#include <algorithm>
#include <limits>

namespace wb::text {

std::vector<TokenLogit> highestLogits(std::span<const float> logits, std::size_t count) {
    std::vector<TokenLogit> all;
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (logits[i] > -std::numeric_limits<float>::infinity()) all.push_back({static_cast<std::int32_t>(i), logits[i]});
    const auto kept = static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    std::partial_sort(all.begin(), all.begin() + kept, all.end(), [](const TokenLogit& a, const TokenLogit& b) {
        return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
    });
    all.resize(static_cast<std::size_t>(kept));
    return all;
}

} // namespace wb::text
