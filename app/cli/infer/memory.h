// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/memory/cards/advice.h"
#include "core/memory/serving/calibration.h"
#include "core/memory/cards/placement.h"
#include "core/memory/rule_of_thumb.h"

#include <string>
#include <vector>

namespace wb {
class JsonWriter;
}

namespace wb::cli {

// The value of --draft that stands for the model's own MTP layers.
inline constexpr const char* ownDraft = "mtp";

// What `wb memory` was asked for, as typed.
struct MemoryOptions {
    std::string what;
    std::string shape; // instead of WHAT
    memory::Settings settings;
    std::optional<std::uint64_t> context;
    std::optional<std::uint64_t> batch; // tokens, or sequences in training
    std::string cacheTypes;
    std::string gpuLayers;
    std::string type;
    std::string projector, lora, draft; // files next to the model; the draft may be a size
    bool noFlash = false;
    bool columns = false;
    std::vector<std::string> cards;
    std::vector<std::string> cardMemories;
    std::string reserve;
    std::string runtime, backend, build, split;
    std::string measured; // the log of a load of llama.cpp
    bool clearMeasured = false;
    std::string measuredCsv; // where all measured loads are written to

    std::string method; // empty: the model runs and is not trained
    memory::TrainingSettings training;
    std::string base, targets, reference, optimizer, offload;
    bool checkpointing = false, noCheckpointing = false; // neither: with it
    bool flash = false, eager = false;

    std::vector<std::string> exported; // the program and the file; "-" is stdout
};

// One type that the weights could have.
struct MemoryColumn {
    std::string type;
    double bitsPerWeight = 0;
    std::uint64_t weights = 0;
    std::uint64_t total = 0;
    memory::Verdict verdict = memory::Verdict::No; // of the first device
    quant::PublishedDivergence divergence;
};

// The values of a log next to the estimate with its settings.
struct MeasuredReport {
    memory::RuntimeLog log;
    std::vector<memory::MeasuredLoad> loads;
};

struct MemoryReport {
    memory::Estimate estimate;
    std::optional<memory::TrainingEstimate> training; // instead of the estimate
    memory::RuleOfThumb rule;
    std::vector<memory::Fit> fits;
    std::vector<MemoryColumn> columns; // empty: not asked for
    std::vector<memory::Advice> advice;
    std::optional<memory::Placement> placement; // the best one on the GPUs; empty: none exists
    std::vector<memory::CardChoice> choices;    // the smallest cards that contain it
    std::optional<memory::TypeChoice> bestType; // for the first device; asked for with the columns
    std::optional<MeasuredReport> measured;
    std::optional<std::uint64_t> tokensPerSecond; // a bound: the first device's bandwidth over what a token reads

    const std::vector<Problem>& problems() const { return training ? training->problems : estimate.problems; }
};

// Wrong usage is Invalid.
Result<memory::TrainingSettings> toTrainingSettings(const MemoryOptions& options);

// Shows what the log of --measured says, and remembers it for later estimates.
Result<MeasuredReport> measuredReport(const memory::RuntimeLog& log, const memory::Estimate& estimate,
                                      const std::string& architecture);
Result<memory::RuntimeLog> readLog(const std::string& path);

// RAM, and every real GPU of this machine.
std::vector<memory::Memory> memoriesHere();

int memoryNeed(const Context& context, const MemoryOptions& options);

void printMemoryJson(const MemoryReport& report);
void printMemoryTables(const MemoryReport& report);

// The members that devices, cards and logs add to the JSON document, and their tables.
void writeDeviceMembers(JsonWriter& json, const MemoryReport& report);
void printDeviceTables(const MemoryReport& report);

} // namespace wb::cli
