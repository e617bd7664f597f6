// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize/quantize_plan.h"
#include "core/quant/backend.h"

namespace wb::quantize {

// Whole rows of one planned tensor, or a part of one row that ends between blocks: the unit that workers take, journals record and
// errors are summed over.
struct WorkItem {
    std::uint32_t tensor = 0;  // index into QuantizePlan::tensors
    std::uint64_t first = 0;   // element
    std::uint64_t rows = 0;    // 1 where `columns` are not all of the row
    std::uint64_t columns = 0; // elements of each

    std::uint64_t elements() const { return rows * columns; }
};

// How many elements an item of this plan has: fewer in a small model, so that many cores share it, more in a large one, so that a
// GPU has enough to do at a time. Whoever does the work, so that anybody can continue with it.
std::uint64_t itemElements(const QuantizePlan& plan);

// All items of a plan in file order, each of about `elements` elements; at least a row where its blocks depend on each other.
std::vector<WorkItem> workItems(const QuantizePlan& plan, std::uint64_t elements);

// Items are added in order, so that the sums of a tensor do not depend on threads.
using quant::ErrorSums;

} // namespace wb::quantize
