// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wb::cli {

// What `wb logits` was asked for, as typed.
struct LogitsOptions {
    std::string model;
    std::vector<std::int32_t> tokens;
    bool all = false;
    std::size_t prefill = 0; // tokens evaluated at once at the beginning; 0: all
    std::string out;
    std::string hidden;
    std::string gpuLayers; // a number or all; empty: what fits
};

int logits(const Context& context, const LogitsOptions& options);

} // namespace wb::cli
