// SPDX-License-Identifier: MIT
#include "core/formats/safetensors/header.h"

#include "core/base/checked.h"
#include "core/base/counts.h"
#include "core/formats/safetensors/names.h"

#include <algorithm>
#include <array>

namespace wb::safetensors {
namespace {

bool isPlain(char c) { return c >= 0x20 && c < 0x7F; }
bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// U+0300 to U+036F in UTF-8: CC 80 to CD AF. Such a mark after a letter makes a second spelling of a letter with an accent.
bool hasCombiningMark(std::string_view name) {
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
        const auto lead = static_cast<unsigned char>(name[i]);
        const auto tail = static_cast<unsigned char>(name[i + 1]);
        if ((lead == 0xCC && tail >= 0x80) || (lead == 0xCD && tail <= 0xAF)) return true;
    }
    return false;
}

void checkSpelling(const std::string& name, Findings& findings) {
    if (std::ranges::all_of(name, isPlain)) return;
    if (std::ranges::any_of(name, isControl))
        findings.add(Severity::Warning, "safetensors.control_characters", textStart,
                     WB_TEXT("{}: the tensor name {} contains control characters."), shown(name));
    if (hasCombiningMark(name))
        findings.add(Severity::Note, "safetensors.combining_marks", textStart,
                     WB_TEXT("{}: the tensor name {} contains combining marks; another name may look identical."), shown(name));
}

// Offset, bytes and whether they can be the tensor's.
Result<void> place(TensorInfo& tensor, const Range& range, std::uint64_t dataStart, Findings& findings) {
    const auto offset = checked::add(dataStart, range.begin);
    if (!offset || !checked::add(dataStart, range.end))
        return findings.refuse(ErrorCode::Malformed, Reason("safetensors.offset"),
                               WB_TEXT("{}: the tensor {} exceeds the maximum file size (data_offsets {} to {})."),
                               shown(tensor.name), range.begin, range.end);
    const bool isReversed = range.end < range.begin;
    const std::uint64_t bytes = isReversed ? 0 : range.end - range.begin;
    if (tensor.dtype == Dtype::Unknown) tensor.source.setPlace({0, *offset, bytes});
    else tensor.source = TensorSource::stored(0, *offset, bytes);
    if (isReversed) {
        tensor.source.makeUnavailable(Reason("safetensors.reversed"), WB_TEXT("it ends before it starts"));
        return findings.defect(Severity::Error, "safetensors.reversed", *offset,
                               WB_TEXT("{}: the tensor {} ends at {}, before its start at {}."), shown(tensor.name), range.end,
                               range.begin);
    }
    if (tensor.dtype == Dtype::Unknown) return {};
    const auto needed = rowBytes(tensor.dtype, tensor.shape.elements());
    if (needed == bytes) return {};
    tensor.source.makeUnavailable(Reason("safetensors.size_mismatch"), WB_TEXT("its size does not match its shape"));
    const bool wholeBytes = tensor.shape.elements() % info(tensor.dtype).blockElements == 0;
    if (!needed && wholeBytes)
        return findings.refuse(ErrorCode::Malformed, Reason("safetensors.tensor_bytes"),
                               WB_TEXT("{}: the tensor {} of type {} and shape {} has too many bytes to count."),
                               shown(tensor.name), name(tensor.dtype), tensor.shape.toString());
    if (!wholeBytes)
        return findings.defect(Severity::Error, "safetensors.partial_byte", *offset,
                               WB_TEXT("{}: the tensor {} of type {} and shape {} does not occupy a whole number of bytes."),
                               shown(tensor.name), name(tensor.dtype), tensor.shape.toString());
    return findings.defect(Severity::Error, "safetensors.size_mismatch", *offset,
                           WB_TEXT("{}: the tensor {} of type {} and shape {} needs {} bytes but has {}."), shown(tensor.name),
                           name(tensor.dtype), tensor.shape.toString(), *needed, bytes);
}

// The valid ranges in the order of the file.
std::vector<Range> sortedRanges(const Header& header) {
    std::vector<Range> ranges;
    ranges.reserve(header.ranges.size());
    std::ranges::copy_if(header.ranges, std::back_inserter(ranges), [](const Range& range) { return range.begin <= range.end; });
    if (!std::ranges::is_sorted(ranges)) std::ranges::sort(ranges);
    return ranges;
}

// The reference wants each tensor to start where the one before it ends.
Result<std::uint64_t> checkContiguous(const Header& header, std::uint64_t dataStart, Findings& findings) {
    constexpr Reason code = "safetensors.not_contiguous";
    std::uint64_t covered = 0;
    for (const Range& range : sortedRanges(header)) {
        if (range.begin > covered)
            WB_TRY(findings.defect(Severity::Error, code, dataStart + covered,
                                   WB_TEXT("{}: the bytes {} to {} belong to no tensor."), dataStart + covered,
                                   dataStart + range.begin));
        if (range.begin < covered)
            WB_TRY(findings.defect(Severity::Error, code, dataStart + range.begin,
                                   WB_TEXT("{}: the bytes {} to {} belong to two tensors."), dataStart + range.begin,
                                   dataStart + std::min(covered, range.end)));
        covered = std::max(covered, range.end);
    }
    return covered;
}

} // namespace

Result<std::string> readHeaderText(const io::ByteSource& source, const formats::Limits& limits, const Findings& findings) {
    if (source.size() < textStart)
        return findings.refuse(ErrorCode::Malformed, Reason("safetensors.too_short"),
                               WB_TEXT("{} is not a safetensors file: it has {} bytes, but the header length alone takes 8."),
                               source.size());
    std::array<std::byte, textStart> lengthBytes{};
    WB_TRY(source.readAt(0, lengthBytes));
    std::uint64_t length = 0;
    for (std::size_t i = textStart; i-- > 0;) length = length << 8 | std::to_integer<std::uint64_t>(lengthBytes[i]);
    if (length > source.size() - textStart)
        return findings.refuse(
            ErrorCode::Malformed, Reason("safetensors.header_length"),
            WB_TEXT("{} is truncated or not a safetensors file: the header length {} at byte 0 exceeds the file size ({} bytes)."),
            grouped(length), grouped(source.size()));
    if (length > limits.headerBytes)
        return findings.refuse(ErrorCode::TooLarge, Reason("safetensors.header_too_long"),
                               WB_TEXT("{}: the header length {} at byte 0 exceeds the {} bytes that the format allows."), length,
                               limits.headerBytes);
    std::string text(length, '\0');
    WB_TRY(source.readAt(textStart, std::as_writable_bytes(std::span(text))));
    return text;
}

Result<void> checkNames(const Header& header, Findings& findings) {
    for (const TensorInfo& tensor : header.tensors) checkSpelling(tensor.name, findings);
    const std::vector<HashedName> names = sortedNames(header.tensors);
    const auto twice = std::ranges::adjacent_find(names, &HashedName::sameName);
    if (twice == names.end()) return {};
    return findings.refuse(ErrorCode::Malformed, Reason("safetensors.duplicate_tensor"),
                           WB_TEXT("{} is not a valid safetensors file: the tensor {} is listed twice."), shown(twice->name));
}

Result<void> checkLayout(Header& header, std::uint64_t dataStart, std::uint64_t fileSize, Findings& findings) {
    for (std::size_t i = 0; i < header.tensors.size(); ++i) WB_TRY(place(header.tensors[i], header.ranges[i], dataStart, findings));
    WB_TRY_ASSIGN(const std::uint64_t covered, checkContiguous(header, dataStart, findings));
    const std::uint64_t end = dataStart + covered;
    if (end < fileSize)
        return findings.defect(Severity::Error, "safetensors.not_contiguous", end,
                               WB_TEXT("{}: the bytes {} to {} after the last tensor belong to none."), end, fileSize);
    if (end == fileSize) return {};
    for (TensorInfo& tensor : header.tensors)
        if (!io::Extent::make(fileSize, *tensor.offset(), tensor.bytes()))
            tensor.source.makeUnavailable(Reason("safetensors.cut_short"), WB_TEXT("the file ends before it does"));
    return findings.defect(Severity::Error, "safetensors.cut_short", fileSize,
                           WB_TEXT("{} is truncated: it has {} of the {} bytes declared in its header."), grouped(fileSize),
                           grouped(end));
}

Result<Header> readHeader(const io::ByteSource& source, const formats::OpenOptions& options, Findings& findings) {
    WB_TRY_ASSIGN(const std::string text, readHeaderText(source, options.limits, findings));
    WB_TRY_ASSIGN(Header header, parseHeader(text, options.limits, findings));
    WB_TRY(checkNames(header, findings));
    WB_TRY(checkLayout(header, textStart + text.size(), source.size(), findings));
    header.ranges = {};
    return header;
}

} // namespace wb::safetensors
