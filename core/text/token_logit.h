// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wb::text {

struct TokenLogit {
    std::int32_t token = -1; // a TokenId; -1: none
    float logit = 0;

    friend bool operator==(const TokenLogit&, const TokenLogit&) = default;
};

// The `count` highest logits, best first, of equal ones the lower id first. Those that are -∞ or not a number are omitted, so
// there may be fewer.
std::vector<TokenLogit> highestLogits(std::span<const float> logits, std::size_t count);

} // namespace wb::text
