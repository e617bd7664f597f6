// SPDX-License-Identifier: MIT
#include "core/formats/gguf/writer.h"

#include "core/base/checked.h"
#include "core/formats/gguf/metadata.h"
#include "core/formats/gguf/pair_bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace wb::gguf {
namespace {

constexpr std::uint64_t maxPairBytes = 256ull << 20;
constexpr std::uint32_t version = 3;

void pad(std::string& out, std::uint64_t alignment) { out.resize((out.size() + alignment - 1) / alignment * alignment, '\0'); }

// Innermost first; ones outside the rest of the shape are dropped unless they are kept, but for a last one.
std::vector<std::uint64_t> storedDimensions(const WrittenTensor& tensor) {
    const auto shape = tensor.shape.dimensions();
    std::vector<std::uint64_t> dimensions(shape.rbegin(), shape.rend());
    while (!tensor.keepsOnes && dimensions.size() > 1 && dimensions.back() == 1) dimensions.pop_back();
    if (dimensions.empty()) dimensions.push_back(1);
    return dimensions;
}

Result<std::uint64_t> storedBytes(const WrittenTensor& tensor) {
    const bool fits = tensor.shape.rowLength() % info(tensor.dtype).blockElements == 0 && ggmlId(tensor.dtype);
    const auto bytes = rowBytes(tensor.dtype, tensor.shape.elements());
    if (!fits || !bytes)
        return fail(ErrorCode::Unsupported, Reason("gguf.not_storable"), About{tensor.name},
                    WB_TEXT("{}: rows of {} elements cannot be stored as {} in a GGUF file."), tensor.name,
                    tensor.shape.rowLength(), name(tensor.dtype));
    return *bytes;
}

void appendInfo(std::string& out, const WrittenTensor& tensor, std::uint64_t offset) {
    const auto dimensions = storedDimensions(tensor);
    appendText(out, tensor.name);
    append(out, static_cast<std::uint32_t>(dimensions.size()));
    for (const std::uint64_t dimension : dimensions) append(out, dimension);
    append(out, *ggmlId(tensor.dtype));
    append(out, offset);
}

template <typename T>
StoredPair numberPair(std::string_view key, std::uint32_t typeId, T value) {
    StoredPair pair{std::string(key), {}};
    appendText(pair.bytes, key);
    append(pair.bytes, typeId);
    append(pair.bytes, value);
    return pair;
}

std::string head(const std::vector<StoredPair>& pairs, std::size_t tensors) {
    std::string out = "GGUF";
    append(out, version);
    append(out, static_cast<std::uint64_t>(tensors));
    append(out, static_cast<std::uint64_t>(pairs.size()));
    for (const StoredPair& pair : pairs) out += pair.bytes;
    return out;
}

// Truth values are written as 0 or 1, whatever stood for true.
void normalizeTruth(StoredPair& pair, std::size_t keyBytes, const Value& value) {
    const ValueArray* const array = value.array();
    const bool holdsTruth = value.type == ValueType::Bool || (array && array->elementType == ValueType::Bool);
    const std::size_t before = keyBytes + sizeof(std::uint32_t) + (array ? sizeof(std::uint32_t) + sizeof(std::uint64_t) : 0);
    if (!holdsTruth) return;
    for (char& c : std::span(pair.bytes).subspan(before)) c = c != 0 ? 1 : 0;
}

} // namespace

Result<std::vector<StoredPair>> readStoredPairs(const io::ByteSource& source) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    Findings findings(source.name(), options.strictness);
    io::Cursor cursor(source);
    WB_TRY_ASSIGN(const Header header, readHeader(cursor, options.limits, findings));
    const std::uint64_t begin = cursor.position();
    WB_TRY_ASSIGN(Pairs pairs, readPairs(cursor, header, options, findings));
    if (cursor.position() - begin > maxPairBytes)
        return fail(ErrorCode::TooLarge, Reason("gguf.metadata_bytes"), About{source.name()},
                    WB_TEXT("The metadata of {} has {} bytes, too many to copy to another file."), source.name(),
                    cursor.position() - begin);
    std::vector<StoredPair> stored;
    for (std::size_t i = 0; i < pairs.positions.size(); ++i) {
        const std::uint64_t end = i + 1 < pairs.positions.size() ? pairs.positions[i + 1] : cursor.position();
        StoredPair pair{pairs.metadata.members[i].key, std::string(end - pairs.positions[i], '\0')};
        WB_TRY(source.readAt(pairs.positions[i], std::as_writable_bytes(std::span(pair.bytes))));
        std::uint64_t keyLength = 0;
        std::memcpy(&keyLength, pair.bytes.data(), sizeof keyLength);
        normalizeTruth(pair, sizeof keyLength + keyLength, pairs.metadata.members[i].value);
        stored.push_back(std::move(pair));
    }
    return stored;
}

StoredPair makePair(std::string_view key, std::uint16_t value) { return numberPair(key, u16Id, value); }
StoredPair makePair(std::string_view key, std::uint32_t value) { return numberPair(key, u32Id, value); }
StoredPair makePair(std::string_view key, std::int32_t value) { return numberPair(key, i32Id, value); }
StoredPair makePair(std::string_view key, float value) { return numberPair(key, f32Id, value); }
StoredPair makeTruthPair(std::string_view key, bool value) { return numberPair(key, boolId, static_cast<std::uint8_t>(value)); }

StoredPair makePair(std::string_view key, std::string_view value) {
    StoredPair pair{std::string(key), {}};
    appendText(pair.bytes, key);
    append(pair.bytes, stringId);
    appendText(pair.bytes, value);
    return pair;
}

void removePair(std::vector<StoredPair>& pairs, std::string_view key) {
    std::erase_if(pairs, [key](const StoredPair& pair) { return pair.key == key; });
}

void setPair(std::vector<StoredPair>& pairs, StoredPair pair) {
    removePair(pairs, pair.key);
    pairs.push_back(std::move(pair));
}

Result<Layout> layOut(const std::vector<StoredPair>& pairs, const std::vector<WrittenTensor>& tensors, std::uint64_t alignment) {
    Layout layout;
    layout.header = head(pairs, tensors.size());
    std::uint64_t offset = 0;
    for (const WrittenTensor& tensor : tensors) {
        if (tensor.name.size() >= 64)
            return fail(ErrorCode::Invalid, Reason("gguf.long_name"), About{tensor.name},
                        WB_TEXT("The tensor name {} exceeds the 63 bytes that GGUF allows."), tensor.name);
        WB_TRY_ASSIGN(const std::uint64_t bytes, storedBytes(tensor));
        appendInfo(layout.header, tensor, offset);
        layout.offsets.push_back(offset);
        const auto end = checked::add(offset, bytes);
        const auto padded = end ? checked::alignUp(*end, alignment) : std::nullopt;
        if (!padded || *padded > std::uint64_t{1} << 62)
            return fail(ErrorCode::TooLarge, Reason("gguf.file_size"), About{tensor.name},
                        WB_TEXT("The tensors up to {} are too large for one file."), tensor.name);
        offset = *padded;
    }
    pad(layout.header, alignment);
    for (std::uint64_t& at : layout.offsets) at += layout.header.size();
    layout.fileBytes = layout.header.size() + offset;
    return layout;
}

} // namespace wb::gguf
