// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace wb::text {

// How a token is drawn from the highest logits, as a device can do it itself. Sampler is the truth: sums of f32 may rarely choose
// another token at the border between two.
struct Draw {
    std::size_t count = 1; // of the highest logits that are candidates
    float temperature = 0; // 0: the best one
    float topP = 1;        // 1: all
    float minP = 0;        // 0: all
    float unit = 0;        // random, 0 … 1 without 1
};

} // namespace wb::text
