// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/job.h"
#include "core/convert/weights/weights_plan.h"

namespace wb::convert {

// run::JobId::fingerprint of the run that writes it: over the output and the input files.
Result<std::string> planFingerprint(const WeightsPlan& plan);

// The most memory that a run takes for its work with so many threads (0: all).
std::uint64_t peakMemory(const WeightsPlan& plan, unsigned threads);

// How long a run takes here with so many threads, writing to the disk omitted: some parts of all tensors are read and computed for
// a moment.
Result<double> estimateSeconds(const WeightsPlan& plan, unsigned threads, const std::stop_token& stop);

// Writes the planned files as run::execute does; a folder is made if none exists, and goes where nothing stays in it. Memory
// stays below 512 MiB for any model. Progress counts elements. Blocks the calling thread.
Result<Outcome> runWeights(const WeightsPlan& plan, const std::filesystem::path& target, const run::RunOptions& options,
                           const Progress& progress);

} // namespace wb::convert
