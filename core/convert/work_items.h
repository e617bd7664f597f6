// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize_plan.h"
#include "core/quant/backend.h"

namespace wb::convert {

// A run of whole rows of one planned tensor: the unit that workers take, journals record and errors are summed over.
struct WorkItem {
    std::uint32_t tensor = 0; // index into QuantizePlan::tensors
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
};

// All items of a plan in file order, each of about `elements` elements (at least a row).
std::vector<WorkItem> workItems(const QuantizePlan& plan, std::uint64_t elements);

// Items are added in order, so that the sums of a tensor do not depend on threads.
using quant::ErrorSums;

} // namespace wb::convert
