// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_check.h"

#include "core/convert/quantize/quantize_item.h"
#include "core/convert/run/run.h"
#include "core/jobs/thread_pool.h"

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

// The buffers of one thread.
struct Slot {
    ItemBuffers buffers;
    std::vector<std::byte> computed, written;
};

std::uint64_t largestBytes(const QuantizePlan& plan, std::span<const WorkItem> items) {
    std::uint64_t largest = 0;
    for (const WorkItem& item : items)
        largest = std::max<std::uint64_t>(largest, *rowBytes(plan.tensors[item.tensor].to, item.elements()));
    return largest;
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

Result<void> compareWithSource(const QuantizeCheck& check, std::uint32_t file, const io::ByteSource& written) {
    const QuantizePlan& plan = check.plan;
    std::vector<WorkItem> items = checkedItems(plan, check.items, check.verify);
    std::erase_if(items, [&](const WorkItem& item) { return plan.tensors[item.tensor].file != file; });
    const auto backend = quant::makeCpuBackend();
    const BufferSizes sizes = bufferSizes(plan, items, backend->bestValues());
    const unsigned workers = run::workerCount(check.threads, sizes.bytes() + 2 * largestBytes(plan, items));
    std::vector<Slot> slots(jobs::loopWidth(items.size(), workers));
    const auto compare = [&](std::uint64_t i, unsigned number) -> Result<void> {
        const WorkItem& item = items[i];
        const PlannedTensor& tensor = plan.tensors[item.tensor];
        Slot& slot = slots[number];
        slot.computed.resize(*rowBytes(tensor.to, item.elements()));
        slot.written.resize(slot.computed.size());
        WB_TRY(written.readAt(tensor.offset + *rowBytes(tensor.to, item.first), slot.written));
        WB_TRY(quantizeItem(plan, item, check.readers[item.tensor], *backend, slot.computed, slot.buffers));
        if (slot.computed == slot.written) return {};
        return std::unexpected(run::differsFromSource(written.name(), plan.model->tensors[tensor.source].name));
    };
    return jobs::parallelFor(items.size(), static_cast<unsigned>(slots.size()), check.stop, compare);
}

} // namespace wb::quantize
