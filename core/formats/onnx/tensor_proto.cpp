// SPDX-License-Identifier: MIT
#include "core/formats/onnx/tensor_proto.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/formats/json/scanner.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wb::onnx {
namespace {

using proto::Message;
using proto::Wire;

constexpr std::uint64_t maxName = 64 << 10;
constexpr std::uint64_t maxLocation = 4096;

struct ElementType {
    Dtype dtype;
    const char* name; // of types without values here
};

// TensorProto.DataType, by its number.
constexpr std::array<ElementType, 27> types = {{{Dtype::Unknown, "UNDEFINED"},
                                                {Dtype::F32, ""},
                                                {Dtype::U8, ""},
                                                {Dtype::I8, ""},
                                                {Dtype::U16, ""},
                                                {Dtype::I16, ""},
                                                {Dtype::I32, ""},
                                                {Dtype::I64, ""},
                                                {Dtype::Unknown, "STRING"},
                                                {Dtype::Bool, ""},
                                                {Dtype::F16, ""},
                                                {Dtype::F64, ""},
                                                {Dtype::U32, ""},
                                                {Dtype::U64, ""},
                                                {Dtype::C64, ""},
                                                {Dtype::C128, ""},
                                                {Dtype::BF16, ""},
                                                {Dtype::F8_E4M3, ""},
                                                {Dtype::F8_E4M3FNUZ, ""},
                                                {Dtype::F8_E5M2, ""},
                                                {Dtype::F8_E5M2FNUZ, ""},
                                                {Dtype::U4, ""},
                                                {Dtype::I4, ""},
                                                {Dtype::F4, ""},
                                                {Dtype::F8_E8M0, ""},
                                                {Dtype::U2, ""},
                                                {Dtype::I2, ""}}};

// The little-endian bytes of integers, of which each has the lowest `width` bytes, 8 at most.
std::vector<std::byte> narrowed(const std::vector<std::uint64_t>& numbers, std::size_t width) {
    std::vector<std::byte> bytes;
    bytes.reserve(numbers.size() * width);
    for (const std::uint64_t number : numbers)
        for (std::size_t i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(number >> 8 * i & 0xFF));
    return bytes;
}

} // namespace

ElementTypeOfProto elementType(std::uint64_t number) {
    if (number >= types.size()) return {Dtype::Unknown, fmt::format("type {}", number)};
    return {types[number].dtype, types[number].name};
}

// The fields of one TensorProto that matter.
struct TensorReaderOfProto::Fields {
    std::string name;
    std::vector<std::uint64_t> dims;
    std::uint64_t type = 0;
    std::optional<io::Extent> raw;
    std::vector<std::uint64_t> numbers; // of the one typed list that is there, as they are stored
    std::size_t numberBytes = 0;        // of each: 4 for float_data, 8 for double_data, 0 for varints
    bool isExternal = false;
    std::string location;
    std::uint64_t externalOffset = 0;
    std::optional<std::uint64_t> externalLength;
    bool hasBadExternal = false;
};

Result<void> TensorReaderOfProto::readExternal(Message entry, Fields& fields) {
    std::string key, value;
    while (true) {
        WB_TRY_ASSIGN(const bool more, entry.next());
        if (!more) break;
        if (entry.is(1, Wire::Bytes)) {
            WB_TRY_ASSIGN(key, entry.text(maxName));
        } else if (entry.is(2, Wire::Bytes)) {
            WB_TRY_ASSIGN(value, entry.text(maxLocation));
        }
    }
    if (key == "location") {
        fields.location = value;
    } else if (key == "offset" || key == "length") {
        const auto number = json::unsignedInteger(value);
        if (!number) fields.hasBadExternal = true;
        else if (key == "offset") fields.externalOffset = *number;
        else fields.externalLength = *number;
    }
    return {};
}

Result<TensorReaderOfProto::Fields> TensorReaderOfProto::readFields(Message& message) {
    Fields fields;
    const auto most = maxCopied / 8;
    const auto takeNumbers = [&](Wire wire, std::size_t bytes) {
        fields.numberBytes = bytes;
        return message.appendNumbers(fields.numbers, wire, most);
    };
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) return fields;
        switch (message.field()) {
        case 1: WB_TRY(message.appendNumbers(fields.dims, Wire::Varint, Shape::maximumRank)); break;
        case 2: fields.type = message.number(); break;
        case 4:
        case 10: {
            // A packed list of floats is already what it decodes to.
            const bool isFloat = message.field() == 4;
            const bool isRun = message.wire() == Wire::Bytes && fields.numbers.empty() && !fields.raw;
            if (isRun) fields.raw = io::Extent::make(m_source.size(), message.begin(), message.length());
            else WB_TRY(takeNumbers(isFloat ? Wire::Fixed32 : Wire::Fixed64, isFloat ? 4 : 8));
            break;
        }
        case 5:
        case 7:
        case 11: WB_TRY(takeNumbers(Wire::Varint, 0)); break;
        case 8: {
            WB_TRY_ASSIGN(const std::string name, message.text(maxName));
            fields.name = toUtf8(name);
            break;
        }
        case 9:
            if (message.wire() == Wire::Bytes) fields.raw = io::Extent::make(m_source.size(), message.begin(), message.length());
            break;
        case 13: {
            WB_TRY_ASSIGN(const Message entry, message.message());
            WB_TRY(readExternal(entry, fields));
            break;
        }
        case 14: fields.isExternal = message.number() == 1; break;
        default: break;
        }
    }
}

void TensorReaderOfProto::makeUnavailable(TensorInfo& tensor, const char* why) {
    m_findings.add(Severity::Error, "onnx.values", std::nullopt, WB_TEXT("{}: cannot read the values of {}: {}."),
                   formats::shown(tensor.name), why);
    tensor.source.makeUnavailable(Reason("onnx.values"), why);
}

TensorInfo TensorReaderOfProto::copied(std::string name, Dtype dtype, Shape shape, std::span<const std::byte> bytes) {
    TensorInfo tensor;
    tensor.name = std::move(name);
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    tensor.source = TensorSource::stored(copiedFile, m_index.copied.size(), bytes.size());
    if (bytes.size() > maxCopied - m_index.copied.size())
        makeUnavailable(tensor, WB_TEXT("too much data would have to be copied from the file"));
    else m_index.copied.insert(m_index.copied.end(), bytes.begin(), bytes.end());
    return tensor;
}

void TensorReaderOfProto::placeExternal(const Fields& fields, TensorInfo& tensor) {
    const std::uint64_t bytes = tensor.bytes();
    const auto [at, isNew] =
        m_external.try_emplace(fields.location, firstExternal + static_cast<std::uint32_t>(m_index.external.size()));
    if (isNew) m_index.external.push_back(fields.location);
    tensor.source = TensorSource::stored(at->second, fields.externalOffset, bytes);
    if (fields.hasBadExternal) makeUnavailable(tensor, WB_TEXT("its offset in the other file is not a number"));
    else if (fields.externalLength && *fields.externalLength != bytes)
        makeUnavailable(tensor, WB_TEXT("its length in the other file does not match its shape"));
}

void TensorReaderOfProto::placeValues(const Fields& fields, TensorInfo& tensor) {
    const std::uint64_t bytes = tensor.bytes();
    if (fields.isExternal) return placeExternal(fields, tensor);
    if (fields.raw) {
        tensor.source = TensorSource::stored(modelFile, fields.raw->offset(), bytes);
        if (fields.raw->length() != bytes) makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
        return;
    }
    // Complex elements are two numbers each, and no list of integers contains them; packed types are fewer numbers than elements.
    const DtypeInfo& type = info(tensor.dtype);
    const std::size_t integerBytes = type.kind == DtypeKind::Complex ? 0 : type.blockBytes;
    const std::size_t width = fields.numberBytes != 0 ? fields.numberBytes : integerBytes;
    if (width == 0 || fields.numbers.size() * width != bytes) {
        tensor.source = TensorSource::stored(modelFile, 0, bytes);
        return makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
    }
    tensor = copied(std::move(tensor.name), tensor.dtype, tensor.shape, narrowed(fields.numbers, width));
}

Result<TensorInfo> TensorReaderOfProto::read(Message message) {
    WB_TRY_ASSIGN(Fields fields, readFields(message));
    TensorInfo tensor;
    tensor.name = std::move(fields.name);
    const auto shape = Shape::make(fields.dims);
    if (shape) tensor.shape = *shape;
    const ElementTypeOfProto type = elementType(fields.type);
    tensor.dtype = type.dtype;
    tensor.typeText = type.text;
    const auto bytes = shape ? storedBytes(tensor.dtype, shape->elements()) : std::nullopt;
    tensor.source = TensorSource::stored(modelFile, fields.raw ? fields.raw->offset() : 0, bytes.value_or(0));
    if (!shape || (!bytes && tensor.dtype != Dtype::Unknown)) makeUnavailable(tensor, WB_TEXT("its shape is invalid"));
    else if (tensor.dtype == Dtype::Unknown)
        tensor.source.setPlace(
            {modelFile, fields.raw ? std::optional(fields.raw->offset()) : std::nullopt, fields.raw ? fields.raw->length() : 0});
    else placeValues(fields, tensor);
    return tensor;
}

Result<std::vector<std::byte>> TensorReaderOfProto::readTensorBytes(const TensorInfo& tensor) const {
    std::vector<std::byte> bytes(tensor.bytes());
    if (tensor.file() == copiedFile) std::copy_n(m_index.copied.data() + *tensor.offset(), bytes.size(), bytes.data());
    else WB_TRY(m_source.readAt(*tensor.offset(), bytes));
    return bytes;
}

// values 1, indices 2 (I64, flat or [count, rank]), dims 3. A small one is written out; no tool knows sparse tensors.
Result<TensorInfo> TensorReaderOfProto::readSparse(Message message) {
    constexpr std::uint64_t maxDense = 1 << 20;
    TensorInfo values, indices;
    std::vector<std::uint64_t> dims;
    while (true) {
        WB_TRY_ASSIGN(const bool more, message.next());
        if (!more) break;
        if (message.is(1, Wire::Bytes) || message.is(2, Wire::Bytes)) {
            WB_TRY_ASSIGN(const Message inner, message.message());
            WB_TRY_ASSIGN((message.field() == 1 ? values : indices), read(inner));
        } else if (message.field() == 3) {
            WB_TRY(message.appendNumbers(dims, Wire::Varint, Shape::maximumRank));
        }
    }
    const auto shape = Shape::make(dims);
    TensorInfo tensor = values;
    if (shape) tensor.shape = *shape;
    const std::uint64_t width = info(values.dtype).blockBytes, count = values.shape.elements();
    const bool canRead = shape && values.isReadable() && indices.isReadable() && values.file() < firstExternal &&
                         indices.file() < firstExternal && indices.dtype == Dtype::I64 && info(values.dtype).blockElements == 1 &&
                         packedBits(values.dtype) == 0 && shape->elements() <= maxDense && count <= shape->elements();
    const bool isFlat = canRead && indices.shape.elements() == count;
    const bool isByAxis = canRead && indices.shape.elements() == count * shape->rank();
    if (!isFlat && !isByAxis) {
        makeUnavailable(tensor, WB_TEXT("its sparse layout is not supported"));
        return tensor;
    }
    WB_TRY_ASSIGN(const auto valueBytes, readTensorBytes(values));
    WB_TRY_ASSIGN(const auto indexBytes, readTensorBytes(indices));
    std::vector<std::byte> dense(shape->elements() * width);
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t flat = 0;
        const std::size_t rank = isFlat ? 1 : shape->rank();
        for (std::size_t axis = 0; axis < rank; ++axis) {
            std::uint64_t at = 0;
            std::memcpy(&at, indexBytes.data() + (i * rank + axis) * 8, 8);
            const std::uint64_t side = isFlat ? shape->elements() : (*shape)[axis];
            if (at >= side) {
                makeUnavailable(tensor, WB_TEXT("an index is out of range"));
                return tensor;
            }
            flat = isFlat ? at : flat * side + at;
        }
        std::memcpy(dense.data() + flat * width, valueBytes.data() + i * width, width);
    }
    return copied(std::move(tensor.name), values.dtype, *shape, dense);
}

} // namespace wb::onnx
