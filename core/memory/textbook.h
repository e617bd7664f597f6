// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace wb::memory {

// Rule-of-thumb bytes for one use of a model, in bytes (tables/rules.tsv).
struct TextbookRule {
    double low = 0, high = 0;             // for one parameter
    double trained = 0;                   // for one that is trained
    double besideLow = 0, besideHigh = 0; // whatever the model
    double factor = 1;                    // on everything
};

// "running", "full", "zero3", "lora", "qlora" or "prompt".
const TextbookRule& textbookRule(std::string_view use);

} // namespace wb::memory
