// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/memory/fit.h"
#include "core/memory/rule_of_thumb.h"

#include <string>
#include <vector>

namespace wb::cli {

// What `wb memory` was asked for, as typed.
struct MemoryOptions {
    std::string what;
    memory::Settings settings;
    std::optional<std::uint64_t> context;
    std::string cacheTypes;
    std::string gpuLayers;
    std::string type;
    bool noFlash = false;
    bool columns = false;
    std::vector<std::string> cards;
    std::vector<std::string> cardMemories;
};

// One type that the weights could have.
struct MemoryColumn {
    std::string type;
    double bitsPerWeight = 0;
    std::uint64_t weights = 0;
    std::uint64_t total = 0;
    memory::Verdict verdict = memory::Verdict::No; // of the first device
};

struct MemoryReport {
    memory::Estimate estimate;
    memory::RuleOfThumb rule;
    std::vector<memory::Fit> fits;
    std::vector<MemoryColumn> columns; // empty: not asked for
};

int memoryNeed(const Context& context, const MemoryOptions& options);

void printMemoryJson(const MemoryReport& report);
void printMemoryTables(const MemoryReport& report);

} // namespace wb::cli
