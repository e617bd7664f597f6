// SPDX-License-Identifier: MIT
#include "core/convert/quantize/work_items.h"

#include "core/quant/quantize.h"

#include <algorithm>
#include <bit>

namespace wb::quantize {

namespace {

constexpr std::uint64_t largestBlock = 256; // elements; every other block divides it

// Whether a row can be worked on in parts.
bool canCut(const PlannedTensor& planned) {
    return planned.copied() || planned.weights.empty() || !quant::blocksShareRowMean(planned.to);
}

void addRows(std::vector<WorkItem>& items, std::uint32_t tensor, const Shape& shape, std::uint64_t elements) {
    const std::uint64_t length = shape.rowLength(),
                        step = std::max<std::uint64_t>(1, elements / std::max<std::uint64_t>(1, length));
    for (std::uint64_t row = 0; row < shape.rows(); row += step)
        items.push_back({tensor, row * length, std::min(step, shape.rows() - row), length});
}

void addParts(std::vector<WorkItem>& items, std::uint32_t tensor, const Shape& shape, std::uint64_t elements) {
    const std::uint64_t length = shape.rowLength(), step = std::max(largestBlock, elements / largestBlock * largestBlock);
    for (std::uint64_t row = 0; row < shape.rows(); ++row)
        for (std::uint64_t column = 0; column < length; column += step)
            items.push_back({tensor, row * length + column, 1, std::min(step, length - column)});
}

} // namespace

std::uint64_t itemElements(const QuantizePlan& plan) {
    constexpr std::uint64_t min = 1 << 18, max = 1 << 21, items = 1024;
    return std::bit_floor(std::clamp(plan.parameters() / items, min, max));
}

std::vector<WorkItem> workItems(const QuantizePlan& plan, std::uint64_t elements) {
    std::vector<WorkItem> items;
    for (std::uint32_t t = 0; t < plan.tensors.size(); ++t) {
        const Shape& shape = plan.model->tensors[plan.tensors[t].source].shape;
        if (shape.rowLength() > elements && canCut(plan.tensors[t])) addParts(items, t, shape, elements);
        else addRows(items, t, shape, elements);
    }
    return items;
}

} // namespace wb::quantize
