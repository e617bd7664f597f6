// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/job.h"
#include "core/convert/quantize/quantize_plan.h"

namespace wb::quantize {

// The most memory a run takes for its work with so many threads (0: all): the buffers that every worker reserves for the largest
// item, the list of items and the headers. A GPU has separate buffers in addition.
std::uint64_t peakMemory(const QuantizePlan& plan, unsigned threads);

// Writes the planned files (targetPaths) as run::execute does, named with `target`. A refusal (values that are not finite, a scale
// beyond f16) leaves nothing. Memory stays below 512 MiB for any model. Progress counts source elements. Blocks the calling thread.
Result<convert::Outcome> runQuantize(const QuantizePlan& plan, const std::filesystem::path& target,
                                     const convert::RunOptions& options, const Progress& progress);

} // namespace wb::quantize
