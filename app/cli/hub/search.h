// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/hub/network.h"

namespace wb::cli {

// What `wb search` was asked for, as typed.
struct SearchOptions {
    std::string text;
    std::optional<hub::Hub> hub; // empty: all
    std::string author;
    std::vector<std::string> filters;
    std::string task;
    std::string licence;
    std::optional<bool> gated;
    std::string params; // "6B-14B", "7B", "-3B", "70B-"
    std::string quant;  // "Q4_K_M"
    hub::Capability capability = hub::Capability::Any;
    hub::SortBy sort = hub::SortBy::Downloads;
    unsigned limit = 20;
    NetworkChoice network;
};

} // namespace wb::cli
