// SPDX-License-Identifier: MIT
#include "core/formats/gguf/tensor_list.h"

#include "core/base/counts.h"
#include "core/formats/gguf/metadata.h"
#include "core/formats/gguf/type_names.h"

#include <unordered_set>
#include <utility>

namespace wb::gguf {
namespace {

constexpr std::uint64_t longestName = 65536;
constexpr std::uint64_t referenceNameBytes = 64; // GGML_MAX_NAME, the closing NUL included
constexpr std::uint32_t referenceRank = 4;
constexpr std::uint32_t lenientRank = 8;
constexpr std::uint64_t half = std::uint64_t{1} << 63;

Result<std::string> readName(ValueReader& reader, std::uint64_t position, Findings& findings) {
    WB_TRY_ASSIGN(std::string name, reader.bytes(longestName));
    if (name.size() >= referenceNameBytes)
        WB_TRY(findings.defect(Severity::Warning, "gguf.long_name", position,
                               WB_TEXT("{} has a tensor name of {} bytes; loaders allow 63: {}"), name.size(), shown(name)));
    if (const std::string text = toUtf8(name); escapeControls(text) != text)
        findings.add(Severity::Note, "gguf.control_characters", position,
                     WB_TEXT("{} has a tensor name with control characters: {}"), shown(name));
    return name;
}

Result<Shape> readShape(io::Cursor& cursor, const Header& header, const std::string& name, std::uint64_t position,
                        Findings& findings) {
    WB_TRY_ASSIGN(const std::uint32_t rank, cursor.read<std::uint32_t>());
    if (rank > lenientRank)
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.rank"),
                               WB_TEXT("{}: the tensor {} has {} dimensions; download it again."), shown(name), rank);
    if (rank > referenceRank)
        WB_TRY(findings.defect(Severity::Warning, "gguf.rank", position,
                               WB_TEXT("{}: the tensor {} has {} dimensions; loaders allow 4."), shown(name), rank));
    std::vector<std::uint64_t> dimensions(rank);
    bool negative = false;
    for (auto& dimension : dimensions) {
        WB_TRY_ASSIGN(dimension, readLength(cursor, header));
        negative = negative || dimension >= half;
    }
    std::ranges::reverse(dimensions);
    const auto shape = Shape::make(dimensions);
    // The reference keeps one below the largest signed number free.
    if (negative || !shape || shape->elements() >= half - 1)
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.tensor_size"),
                               WB_TEXT("{}: the tensor {} has an impossible size; download it again."), shown(name));
    return *shape;
}

Result<void> setType(Entry& entry, std::uint32_t id, Findings& findings) {
    TensorInfo& tensor = entry.tensor;
    tensor.dtype = dtypeFromGgmlId(id).value_or(Dtype::Unknown);
    if (tensor.dtype == Dtype::Unknown) {
        const ForeignType type = foreignType(id);
        tensor.typeText = type.name;
        tensor.source.makeUnavailable(Reason("gguf.type"), type.reason);
        entry.knownSize = false;
        return findings.defect(Severity::Warning, "gguf.type", entry.position,
                               WB_TEXT("{}: the tensor {} cannot be decoded ({}); get another quantization."), shown(tensor.name),
                               type.reason);
    }
    if (tensor.shape.rowLength() % info(tensor.dtype).blockElements != 0) {
        tensor.source.makeUnavailable(Reason("gguf.row"), WB_TEXT("its row size is not a multiple of the block size"));
        entry.knownSize = false;
        return findings.defect(
            Severity::Error, "gguf.row", entry.position,
            WB_TEXT("{}: the tensor {} has rows of {} elements, not a multiple of the {} block size; download it again."),
            shown(tensor.name), tensor.shape.rowLength(), name(tensor.dtype));
    }
    const auto bytes = rowBytes(tensor.dtype, tensor.shape.elements());
    if (!bytes)
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.tensor_size"),
                               WB_TEXT("{}: the tensor {} has an impossible size; download it again."), shown(tensor.name));
    entry.bytes = *bytes;
    return {};
}

Result<Entry> readEntry(io::Cursor& cursor, const Header& header, ValueReader& reader, Findings& findings) {
    Entry entry;
    entry.position = cursor.position();
    WB_TRY_ASSIGN(entry.tensor.name, readName(reader, entry.position, findings));
    if (!isUtf8(entry.tensor.name)) entry.tensor.rawName = std::exchange(entry.tensor.name, toUtf8(entry.tensor.name));
    WB_TRY_ASSIGN(entry.tensor.shape, readShape(cursor, header, entry.tensor.name, entry.position, findings));
    WB_TRY_ASSIGN(const std::uint32_t type, cursor.read<std::uint32_t>());
    WB_TRY_ASSIGN(entry.relative, cursor.read<std::uint64_t>());
    WB_TRY(setType(entry, type, findings));
    if (entry.relative >= half)
        return findings.refuse(ErrorCode::TooLarge, Reason("gguf.tensor_offset"),
                               WB_TEXT("{}: the tensor {} has the impossible offset {}; download it again."),
                               shown(entry.tensor.name), entry.relative);
    return entry;
}

Result<void> checkDuplicates(const TensorList& list, Findings& findings) {
    std::unordered_set<std::string_view> seen;
    seen.reserve(list.entries.size());
    for (const Entry& entry : list.entries)
        if (!seen.insert(entry.tensor.storedName()).second)
            WB_TRY(findings.defect(Severity::Error, "gguf.duplicate_tensor", entry.position,
                                   WB_TEXT("{} contains the tensor {} more than once; download it again."),
                                   shown(entry.tensor.name)));
    return {};
}

// Entries before the end of the file are shown; a list that ends before its first tensor shows nothing.
Result<void> endEarly(TensorList& list, const Header& header, Error error, const io::Cursor& cursor, Findings& findings) {
    if (findings.strict() || list.entries.empty() || error.code != ErrorCode::Malformed) return std::unexpected(std::move(error));
    list.complete = false;
    return findings.defect(Severity::Error, "gguf.cut_in_list", cursor.position(),
                           WB_TEXT("{} ends at byte {}, within its list of {} tensors; the first {} are shown. Download it again."),
                           grouped(cursor.size()), grouped(header.tensorCount), grouped(list.entries.size()));
}

} // namespace

Result<TensorList> readTensorList(io::Cursor& cursor, const Header& header, const formats::OpenOptions& options,
                                  Findings& findings) {
    TensorList list;
    ValueReader reader(cursor, header, options, findings);
    while (list.complete && list.entries.size() < header.tensorCount) {
        if (list.entries.size() % 1024 == 0) WB_TRY(options.progress.at(cursor.position(), cursor.size()));
        if (auto entry = readEntry(cursor, header, reader, findings)) list.entries.push_back(std::move(*entry));
        else WB_TRY(endEarly(list, header, std::move(entry).error(), cursor, findings));
    }
    list.end = cursor.position();
    WB_TRY(checkDuplicates(list, findings));
    return list;
}

} // namespace wb::gguf
