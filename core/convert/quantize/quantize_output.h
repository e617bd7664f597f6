// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/work_items.h"
#include "core/convert/run/output_plan.h"

namespace wb::quantize {

// Where each item is in the new files; its elements are its work.
std::vector<run::Item> outputItems(const QuantizePlan& plan, std::span<const WorkItem> items);

// The output of a run of the plan: its `items` at their places. Refers to the plan's headers and tensors.
Result<run::OutputPlan> outputPlan(const QuantizePlan& plan, std::span<const WorkItem> items, const std::filesystem::path& target);

// Tells this job from every other: the inode, size and time of the source's files and of the importance matrix, wherever they are
// mounted and whatever their folder is called, the headers of the new files, which weights each tensor has and the item size.
Result<run::JobId> planJobId(const QuantizePlan& plan);

// The files that the plan reads, model and matrix.
std::vector<run::SourceFile> sourceFiles(const QuantizePlan& plan);

} // namespace wb::quantize
