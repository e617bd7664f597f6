// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/job.h"

namespace wb::convert {

// run::JobId::fingerprint of the run that writes it: of the result and of the files that are read.
Result<std::string> planFingerprint(const ConvertPlan& plan);

// The most memory that a run takes with so many threads (0: all).
std::uint64_t peakMemory(const ConvertPlan& plan, unsigned threads);

// Writes the planned file as run::execute does. A refusal (values that are not finite where a block type is written) leaves
// nothing. Memory stays below 512 MiB for any model. Progress counts elements. Blocks the calling thread.
Result<Outcome> runConvert(const ConvertPlan& plan, const std::filesystem::path& target, const run::RunOptions& options,
                           const Progress& progress);

} // namespace wb::convert
