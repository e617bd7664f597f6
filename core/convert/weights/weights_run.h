// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/verify.h"
#include "core/convert/weights/weights_plan.h"
#include "core/convert/run/run.h"

namespace wb::convert {

struct WeightsOptions {
    run::RunOptions run;
    run::Verify verify = run::Verify::Sample;
    std::string kind = "convert"; // of the record among the unfinished runs
};

struct WeightsOutcome {
    std::uint64_t resumedItems = 0; // work taken over from an earlier run
    double seconds = 0;
    std::vector<Problem> remarks; // values that left the range of the new type, and the work of another job that was dropped
};

// run::JobId::fingerprint of the run that writes it: of what the files become and of the files that are read.
Result<std::string> fingerprintOf(const WeightsPlan& plan);

// The most memory that a run takes for its work with so many threads (0: all).
std::uint64_t peakMemory(const WeightsPlan& plan, unsigned threads);

// How long a run takes here with so many threads, writing to the disk left out: some parts of all tensors are read and computed for
// a moment.
Result<double> estimateSeconds(const WeightsPlan& plan, unsigned threads, const std::stop_token& stop);

// Writes the planned files as run::execute does; a folder is made where there is none, and goes where nothing stays in it. Memory
// stays below 512 MiB for any model. Progress counts elements. Blocks the calling thread.
Result<WeightsOutcome> runWeights(const WeightsPlan& plan, const std::filesystem::path& target, const WeightsOptions& options,
                                  const Progress& progress);

} // namespace wb::convert
