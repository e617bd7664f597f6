// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/work_items.h"
#include "core/convert/run/verify.h"
#include "core/convert/source/tensor_inputs.h"

namespace wb::quantize {

// The items that are computed again: all of them, or some rows at both ends of every tensor, so that a sample costs little.
std::vector<WorkItem> checkedItems(const QuantizePlan& plan, std::span<const WorkItem> items, run::Verify verify);

// The comparison of one planned file with its source. The CPU quantizes again, whatever device did it first. Refers to its
// arguments.
run::Comparison quantizeComparison(const QuantizePlan& plan, std::span<const WorkItem> items, const convert::TensorInputs& inputs,
                                   std::uint32_t file, run::Verify verify);

} // namespace wb::quantize
