// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"
#include "core/convert/run/run.h"
#include "core/convert/run/verify.h"
#include "core/quant/backend.h"

namespace wb::quantize {

// What quantizing a tensor cost, over all its elements: e is the decoded result minus the source.
struct TensorError {
    double rmse = 0;                    // sqrt(Σe²/n)
    std::optional<double> relativeRmse; // sqrt(Σe²/Σw²); empty where the source is all zero
    std::optional<double> cosine;       // Σwv / sqrt(Σw²·Σv²); empty where one side is all zero
};

struct QuantizeOutcome {
    std::vector<TensorError> errors; // one a planned tensor; zero for copied ones
    std::uint64_t resumedItems = 0;  // work taken over from an earlier run
    double seconds = 0;
    std::string device;           // quant::Backend::name of the one that did it
    std::vector<Problem> remarks; // types or devices that were given up, and the work of another job that was dropped
};

struct QuantizeRunOptions : run::RunOptions {
    // Makes the backend when there is work for it, as opening a device takes time and memory. Empty: the processor.
    std::function<Result<std::shared_ptr<quant::Backend>>()> backend = {};
    std::optional<run::Verify> verify = {}; // what is compared with its source before files get their names; empty: nothing
};

// The most memory a run takes for its work with so many threads (0: all): the buffers that every worker reserves for the largest
// item, the list of items and the headers. A graphics device has buffers of its own beside them.
std::uint64_t peakMemory(const QuantizePlan& plan, unsigned threads);

// Writes the planned files (targetPaths) as run::execute does, named with `target`. A refusal (values that are not finite, a scale
// beyond f16) leaves nothing. Memory stays below 512 MiB for any model. Progress counts source elements. Blocks the calling thread.
Result<QuantizeOutcome> runQuantize(const QuantizePlan& plan, const std::filesystem::path& target,
                                    const QuantizeRunOptions& options, const Progress& progress);

} // namespace wb::quantize
