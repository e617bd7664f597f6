// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_check.h"

#include "core/convert/quantize/quantize_item.h"

#include <algorithm>

namespace wb::quantize {
namespace {

constexpr std::uint64_t sampleElements = 1 << 16; // at each end of a tensor, or a row where that is longer

// The rows at the beginning or the end of an item.
WorkItem cut(const WorkItem& item, std::uint64_t rows, bool atEnd) {
    WorkItem part = item;
    part.rows = rows;
    if (atEnd) part.first += (item.rows - rows) * item.columns;
    return part;
}

} // namespace

std::vector<WorkItem> checkedItems(const QuantizePlan& plan, std::span<const WorkItem> items, run::Verify verify) {
    if (verify == run::Verify::All) return {items.begin(), items.end()};
    std::vector<WorkItem> checked;
    for (const WorkItem& item : items) {
        const std::uint64_t elements = plan.model->tensors[plan.tensors[item.tensor].source].shape.elements();
        const std::uint64_t wanted = std::max<std::uint64_t>(1, sampleElements / std::max<std::uint64_t>(1, item.columns));
        const std::uint64_t rows = std::min(item.rows, wanted);
        const bool isBegin = item.first == 0, isEnd = item.first + item.elements() == elements;
        if (isBegin) checked.push_back(cut(item, rows, false));
        if (isEnd && !(isBegin && rows == item.rows)) checked.push_back(cut(item, rows, true));
    }
    return checked;
}

run::Comparison quantizeComparison(const QuantizePlan& plan, std::span<const WorkItem> all, const convert::TensorInputs& inputs,
                                   std::uint32_t file, run::Verify verify) {
    auto items = std::make_shared<std::vector<WorkItem>>(checkedItems(plan, all, verify));
    std::erase_if(*items, [&](const WorkItem& item) { return plan.tensors[item.tensor].file != file; });
    const std::shared_ptr<quant::Backend> backend = quant::makeCpuBackend();
    run::Comparison comparison;
    for (std::uint64_t i = 0; i < items->size(); ++i) {
        const WorkItem& item = (*items)[i];
        const PlannedTensor& tensor = plan.tensors[item.tensor];
        comparison.ranges.push_back({i, tensor.offset + *rowBytes(tensor.to, item.first), *rowBytes(tensor.to, item.elements())});
    }
    comparison.makeWorker = [&plan, &inputs, items, backend]() -> run::Recompute {
        return [&plan, &inputs, items, backend,
                buffers = std::make_shared<ItemBuffers>()](std::uint64_t i, std::span<std::byte> bytes) -> Result<void> {
            const WorkItem& item = (*items)[i];
            WB_TRY(quantizeItem(plan, item, inputs.first(item.tensor), *backend, bytes, *buffers));
            return {};
        };
    };
    comparison.workerBytes = bufferSizes(plan, *items, backend->bestValues()).bytes();
    comparison.tensorName = [&plan, items](std::uint64_t i) {
        return plan.model->tensors[plan.tensors[(*items)[i].tensor].source].name;
    };
    return comparison;
}

} // namespace wb::quantize
