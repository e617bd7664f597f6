// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/gguf/convert_plan.h"
#include "core/convert/run/verify.h"
#include "core/convert/run/run.h"

namespace wb::convert {

struct ConvertOutcome {
    std::uint64_t resumedItems = 0; // work taken over from an earlier run
    double seconds = 0;
    std::vector<Problem> remarks; // values that left the range of the new type, and the work of another job that was dropped
};

// run::JobId::fingerprint of the run that writes it: of what the file becomes and of the files that are read.
Result<std::string> fingerprintOf(const ConvertPlan& plan);

// Writes the planned file as run::execute does. A refusal (values that are not finite where a block type is written) leaves
// nothing. Memory stays below 512 MiB for any model. Progress counts elements. Blocks the calling thread.
Result<ConvertOutcome> runConvert(const ConvertPlan& plan, const std::filesystem::path& target, const run::RunOptions& options,
                                  const Progress& progress, run::Verify verify = run::Verify::Sample);

} // namespace wb::convert
