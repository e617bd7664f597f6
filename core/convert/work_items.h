// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/quantize_plan.h"

namespace wb::convert {

// A run of whole rows of one planned tensor: the unit that workers take, journals record and errors are summed over.
struct WorkItem {
    std::uint32_t tensor = 0; // index into QuantizePlan::tensors
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
};

// All items of a plan in file order, each of about `elements` elements (at least a row).
std::vector<WorkItem> workItems(const QuantizePlan& plan, std::uint64_t elements);

// Sums from which a tensor's error follows; items are added in order, so that the result does not depend on threads.
struct ErrorSums {
    double e2 = 0;
    double w2 = 0;
    double v2 = 0;
    double wv = 0;
    ErrorSums& operator+=(const ErrorSums& other);
};

} // namespace wb::convert
