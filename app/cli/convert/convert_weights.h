// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/convert/convert.h"

namespace wb::cli {

// `wb convert` and `wb merge` to safetensors: a file, shards or a Hugging Face folder.
int convertWeights(const Context& context, const ConvertOptions& options, ConvertTarget target);

// The printed result of a plan or a run.
struct WeightsResult {
    const convert::WeightsPlan& plan;
    const convert::Outcome* done = nullptr;             // null for a dry run
    std::vector<std::string> fileHashes;                // SHA-256, in the order of WeightsPlan::paths; empty for a dry run
    std::vector<std::string> tensorHashes;              // of each tensor's data; the same
    std::map<std::string, merge::TensorChange> changes; // as ConvertResult has them
};

std::string weightsJson(const ConvertOptions& options, const WeightsResult& result);
void printWeightsTables(const ConvertOptions& options, const WeightsResult& result, bool isQuiet); // quiet: without the table

} // namespace wb::cli
