// SPDX-License-Identifier: MIT
#include "core/convert/run/verify.h"

#include "core/convert/run/run.h"
#include "core/jobs/thread_pool.h"

#include <algorithm>

namespace wb::run {
namespace {

// The buffers of one thread.
struct ComparedSlot {
    Recompute recompute;
    std::vector<std::byte> computed, stored;
};

Error differsFromSource(const std::string& file, const std::string& tensor) {
    return makeError(ErrorCode::Internal, writtenDiffers, About{file},
                     WB_TEXT("{} was discarded: {} in it does not match a recomputation from the source, so the memory, disk or "
                             "device may be faulty."),
                     file, tensor);
}

} // namespace

Result<void> compareRanges(const Comparison& comparison, const io::ByteSource& written) {
    std::uint64_t largest = 0;
    for (const ComparedRange& range : comparison.ranges) largest = std::max(largest, range.bytes);
    const unsigned workers = workerCount(comparison.threads, comparison.workerBytes + 2 * largest);
    std::vector<ComparedSlot> slots(jobs::loopWidth(comparison.ranges.size(), workers));
    for (ComparedSlot& slot : slots) slot.recompute = comparison.makeWorker();
    const auto compare = [&](std::uint64_t i, unsigned number) -> Result<void> {
        const ComparedRange& range = comparison.ranges[i];
        ComparedSlot& slot = slots[number];
        slot.computed.resize(range.bytes);
        slot.stored.resize(range.bytes);
        WB_TRY(written.readAt(range.offset, slot.stored));
        WB_TRY(slot.recompute(range.item, slot.computed));
        if (slot.computed == slot.stored) return {};
        return std::unexpected(differsFromSource(written.name(), comparison.tensorName(range.item)));
    };
    return jobs::parallelFor(comparison.ranges.size(), static_cast<unsigned>(slots.size()), comparison.stop, compare);
}

void compareAtTheEnd(OutputPlan& output, const RunOptions& options, const std::stop_token& stop,
                     const std::function<Comparison(std::uint32_t file)>& comparisonOf) {
    if (options.verify == Verify::None) return;
    for (std::uint32_t file = 0; file < output.files.size(); ++file) {
        Comparison comparison = comparisonOf(file);
        if (comparison.ranges.empty()) continue;
        comparison.threads = options.threads;
        comparison.stop = stop;
        auto& isAsPlanned = output.files[file].isAsPlanned;
        isAsPlanned = [comparison, isLaidOut = isAsPlanned](const io::ByteSource& written) -> Result<bool> {
            WB_TRY_ASSIGN(const bool isLaidOutAsPlanned, isLaidOut(written));
            if (isLaidOutAsPlanned) WB_TRY(compareRanges(comparison, written));
            return isLaidOutAsPlanned;
        };
    }
}

} // namespace wb::run
