// SPDX-License-Identifier: MIT
#include "core/convert/work_items.h"

#include <algorithm>

namespace wb::convert {

std::vector<WorkItem> workItems(const QuantizePlan& plan, std::uint64_t elements) {
    std::vector<WorkItem> items;
    for (std::uint32_t t = 0; t < plan.tensors.size(); ++t) {
        const Shape& shape = plan.model->tensors[plan.tensors[t].source].shape;
        const std::uint64_t step = std::max<std::uint64_t>(1, elements / std::max<std::uint64_t>(1, shape.rowLength()));
        for (std::uint64_t row = 0; row < shape.rows(); row += step) items.push_back({t, row, std::min(step, shape.rows() - row)});
    }
    return items;
}

} // namespace wb::convert
