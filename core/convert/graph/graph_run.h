// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/graph/graph_plan.h"
#include "core/convert/job.h"

namespace wb::convert {

Result<std::string> planFingerprint(const GraphPlan& plan);
std::uint64_t peakMemory(const GraphPlan& plan, unsigned threads);

// Writes the graph and its external data as run::execute does. Progress counts elements and copied bytes. Blocks the calling
// thread. Invalid if the new values of a listed tensor differ.
Result<Outcome> runGraph(const GraphPlan& plan, const std::filesystem::path& target, const run::RunOptions& options,
                         const Progress& progress);

} // namespace wb::convert
