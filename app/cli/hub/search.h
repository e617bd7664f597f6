// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/hub/network.h"

namespace wb::cli {

// What `wb search` was asked for, as typed.
struct SearchOptions {
    std::string text;
    std::string hub = "all"; // "hf", "ms", "all"
    std::string author;
    std::vector<std::string> filters;
    std::string task;
    std::string licence;
    std::string gated;      // "yes", "no"
    std::string params;     // "6B-14B", "7B", "-3B", "70B-"
    std::string quant;      // "Q4_K_M"
    std::string capability; // "vision"; empty: any
    std::string sort = "downloads";
    unsigned limit = 20;
    NetworkChoice network;
};

int search(const Context& context, const SearchOptions& options);

} // namespace wb::cli
