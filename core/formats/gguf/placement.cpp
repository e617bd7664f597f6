// SPDX-License-Identifier: MIT
#include "core/formats/gguf/tensor_list.h"

#include "core/base/checked.h"
#include "core/base/counts.h"

#include <numeric>

namespace wb::gguf {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largestFile = most / 4; // leaves space for the header and the padding

std::vector<std::size_t> byOffset(const std::vector<Entry>& entries) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return entries[i].relative; });
    return order;
}

// A tensor of unknown type reaches at most to the next tensor or the end of the file.
void boundUnknownSizes(std::vector<Entry>& entries, const std::vector<std::size_t>& order, std::uint64_t dataBytes) {
    std::uint64_t next = dataBytes;
    std::uint64_t current = most;
    for (std::size_t i = order.size(); i-- > 0;) {
        Entry& entry = entries[order[i]];
        if (current != most && entry.relative != current) next = current;
        current = entry.relative;
        if (!entry.knownSize) entry.bytes = next > entry.relative ? next - entry.relative : 0;
    }
}

// Compares one tensor with the end of all that are before it, `end`, both relative to the data section.
Result<void> checkGap(const Entry& entry, std::uint64_t end, std::uint64_t alignment, std::uint64_t dataStart, Findings& findings) {
    const std::uint64_t due = checked::alignUp(end, alignment).value_or(most);
    const std::uint64_t at = dataStart + entry.relative;
    const std::string name = shown(entry.tensor.name);
    if (entry.relative < end && entry.bytes > 0)
        return findings.defect(Severity::Error, "gguf.overlap", at,
                               WB_TEXT("{}: the tensor {} overlaps another tensor by {} bytes; download it again."), name,
                               end - entry.relative);
    if (entry.relative < due)
        return findings.defect(Severity::Warning, "gguf.misaligned", at,
                               WB_TEXT("{}: the tensor {} starts at offset {}, which is not a multiple of {}; download it again."),
                               name, entry.relative, alignment);
    if (entry.relative > due)
        return findings.defect(Severity::Warning, "gguf.gap", dataStart + due,
                               WB_TEXT("{} has a gap of {} bytes before the tensor {}; download it again."), entry.relative - due,
                               name);
    return {};
}

// Every tensor must start where the padded one before it ends, in the order of the list (docs/reference/gguf.md, "Malformed-file
// rules a reader enforces"). Returns where the last one ends.
Result<std::uint64_t> checkSequence(const TensorList& list, const std::vector<std::size_t>& order, std::uint64_t alignment,
                                    std::uint64_t dataStart, Findings& findings) {
    std::uint64_t end = 0;
    std::uint64_t total = 0;
    bool sizeKnown = true;
    for (const std::size_t i : order) {
        const Entry& entry = list.entries[i];
        if (sizeKnown || entry.relative < end) WB_TRY(checkGap(entry, end, alignment, dataStart, findings));
        const auto entryEnd = checked::add(entry.relative, entry.bytes);
        const auto padded = checked::alignUp(entry.bytes, alignment);
        total = padded ? checked::add(total, *padded).value_or(most) : most;
        if (!entryEnd || *entryEnd > largestFile || total > largestFile)
            return findings.refuse(ErrorCode::TooLarge, Reason("gguf.tensor_end"),
                                   WB_TEXT("{}: the end of the tensor {} exceeds the maximum file size; download it again."),
                                   shown(entry.tensor.name));
        end = std::max(end, *entryEnd);
        sizeKnown = entry.knownSize;
    }
    if (!std::ranges::is_sorted(order))
        WB_TRY(findings.defect(Severity::Warning, "gguf.order", std::nullopt,
                               WB_TEXT("{} stores its tensors in a different order than listed; download it again.")));
    return end;
}

Result<void> checkEnd(std::uint64_t incomplete, std::size_t tensors, std::uint64_t dataEnd, std::uint64_t paddedEnd,
                      std::uint64_t fileSize, Findings& findings) {
    if (incomplete > 0)
        return findings.defect(
            Severity::Error, "gguf.cut", fileSize,
            WB_TEXT(
                "{} is truncated: it ends at byte {}, but its tensors end at byte {}; {} of {} are incomplete. Download it again."),
            grouped(fileSize), grouped(dataEnd), grouped(incomplete), grouped(tensors));
    if (fileSize > paddedEnd)
        findings.add(Severity::Warning, "gguf.trailing", paddedEnd,
                     WB_TEXT("{} has {} bytes after its data that belong to no tensor."), grouped(fileSize - paddedEnd));
    return {};
}

void setAllUnavailable(std::vector<Entry>& entries, Reason reason, const char* why) {
    for (Entry& entry : entries) {
        entry.tensor.source.makeUnavailable(reason, why);
        entry.tensor.source.setPlace({0, std::nullopt, entry.bytes});
    }
}

} // namespace

Result<void> placeTensors(TensorList& list, std::optional<std::uint64_t> alignment, std::uint64_t fileSize, Findings& findings) {
    std::vector<Entry>& entries = list.entries;
    if (!list.complete || !alignment) {
        if (list.complete) setAllUnavailable(entries, Reason("gguf.alignment"), WB_TEXT("the alignment of the file is invalid"));
        else setAllUnavailable(entries, Reason("gguf.cut"), WB_TEXT("the file ends before its data"));
        return {};
    }
    const auto dataStart = checked::alignUp(list.end, *alignment);
    if (!dataStart)
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.alignment"),
                               WB_TEXT("{} specifies an impossible alignment; download it again."));
    const auto order = byOffset(entries);
    boundUnknownSizes(entries, order, fileSize > *dataStart ? fileSize - *dataStart : 0);
    WB_TRY_ASSIGN(const std::uint64_t end, checkSequence(list, order, *alignment, *dataStart, findings));
    std::uint64_t incomplete = 0;
    for (Entry& entry : entries) {
        TensorSource& source = entry.tensor.source;
        const std::uint64_t offset = *dataStart + entry.relative;
        if (source.unavailableWhy().empty()) source = TensorSource::stored(0, offset, entry.bytes);
        else source.setPlace({0, offset, entry.bytes});
        if (io::Extent::make(fileSize, offset, entry.bytes)) continue;
        source.makeUnavailable(Reason("gguf.cut"), WB_TEXT("the file ends before its last byte"));
        ++incomplete;
    }
    const std::uint64_t dataEnd = checked::add(*dataStart, end).value_or(most);
    const std::uint64_t paddedEnd = checked::alignUp(entries.empty() ? list.end : dataEnd, *alignment).value_or(most);
    return checkEnd(incomplete, entries.size(), dataEnd, paddedEnd, fileSize, findings);
}

} // namespace wb::gguf
