// SPDX-License-Identifier: MIT
#include "core/formats/coreml/program.h"

#include "core/base/text.h"

#include <algorithm>
#include <bit>

namespace wb::coreml {
namespace {

using packed::Part;
using packed::Weight;

std::optional<std::uint64_t> elementCount(const std::vector<std::uint64_t>& sides) {
    const auto shape = Shape::make(sides);
    return shape ? std::optional(shape->elements()) : std::nullopt;
}

const MilValue* valueAt(const MilOperation& operation, const char* key) {
    const auto found = operation.arguments.find(key);
    return found == operation.arguments.end() || !found->second.value ? nullptr : &*found->second.value;
}

// A whole number of a short value.
std::optional<std::int64_t> integerAt(const MilOperation& operation, const char* key) {
    const MilValue* value = valueAt(operation, key);
    if (!value || value->bytes.empty() || value->bytes.size() > 8) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = value->bytes.size(); i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(value->bytes[i]);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(value->bytes.size());
    return static_cast<std::int64_t>(number << unused) >> unused;
}

// A list of scales or zero points along one axis, or one number, as blocks of the weight.
bool spread(Part& part, const std::vector<std::uint64_t>& own, std::size_t rank, std::optional<std::int64_t> axis) {
    const auto count = elementCount(own);
    if (!count) return false;
    if (own.size() == rank && rank != 1) return part.shape = own, true;
    part.shape.assign(rank, 1);
    if (*count == 1) return true;
    const std::int64_t at = axis.value_or(0);
    const std::int64_t place = at < 0 ? at + static_cast<std::int64_t>(rank) : at;
    if (place < 0 || place >= static_cast<std::int64_t>(rank)) return false;
    part.shape[static_cast<std::size_t>(place)] = *count;
    return true;
}

bool isConstexpr(std::string_view type) { return type.starts_with("constexpr_"); }

} // namespace

Result<void> ProgramTensors::add(const MilOperation& operation) {
    if (m_context.options().progress.stop.stop_requested()) return std::unexpected(canceled());
    if (operation.type == "const") return addConstant(operation);
    ++m_counts[operation.type];
    return isConstexpr(operation.type) ? addCompressed(operation) : addWeights(operation);
}

void ProgramTensors::finish() {
    ValueObject counts;
    for (const auto& [type, count] : m_counts) counts.members.push_back({type, Value::ofUnsigned(ValueType::U64, count)});
    counts.count = counts.members.size();
    m_context.addFact(m_prefix + "operations", Value::of(std::move(counts)));
}

// The tensor of a value in a file; empty for numbers in the program that are no weights.
Result<std::optional<TensorInfo>> ProgramTensors::storedTensor(const std::string& name, const MilValue& value) {
    TensorInfo tensor;
    tensor.name = m_prefix + name;
    tensor.dtype = value.dtype;
    tensor.typeText = value.typeText;
    const auto shape = Shape::make(value.sides);
    if (shape) tensor.shape = *shape;
    if (!value.blobFile) {
        const bool isFloat = info(value.dtype).kind == DtypeKind::Float;
        if (!isFloat || !shape || shape->rank() == 0) return std::nullopt;
        const auto bytes = storedBytes(value.dtype, shape->elements());
        if (value.run && bytes == value.run->bytes) {
            tensor.source = TensorSource::stored(0, value.run->begin, value.run->bytes);
        } else {
            const auto source = bytes == value.bytes.size() ? m_context.index().copy(value.bytes) : std::nullopt;
            if (!source) return std::nullopt;
            tensor.source = *source;
        }
        return tensor;
    }
    const auto file = m_context.weightFile(*value.blobFile);
    if (!file) {
        tensor.source = TensorSource::unavailable(Reason("coreml.no_values"), WB_TEXT("the file with them is missing"));
        m_context.findings().add(Severity::Error, "coreml.no_values", std::nullopt,
                                 WB_TEXT("{}: the file {} with values is missing; get a complete copy."),
                                 formats::shown(*value.blobFile));
        return tensor;
    }
    const auto blob = readBlob(m_context.weights(*file), value.blobOffset);
    tensor.source = TensorSource::stored(*file, blob ? blob->offset : 0, blob ? blob->bytes : 0);
    const auto type = blob ? blobType(blob->type) : std::nullopt;
    if (!blob) {
        m_context.makeUnavailable(tensor, WB_TEXT("the file with them has no such entry"));
    } else if (!type || type->dtype != value.dtype) {
        m_context.makeUnavailable(tensor, WB_TEXT("the file with them has another type"));
    } else if (!shape || (value.dtype != Dtype::Unknown && storedBytes(value.dtype, shape->elements()) != blob->bytes)) {
        m_context.makeUnavailable(tensor, WB_TEXT("their count does not match the shape"));
    }
    return tensor;
}

Result<void> ProgramTensors::addConstant(const MilOperation& operation) {
    const MilValue* value = valueAt(operation, "val");
    if (!value) return {};
    WB_TRY_ASSIGN(auto tensor, storedTensor(operation.output, *value));
    if (!tensor) return {};
    Known& known = m_known[operation.output];
    known.stored = tensor;
    return m_context.add(std::move(*tensor));
}

// One component of a compressed weight: its place, and its tensor.
bool ProgramTensors::takePart(const MilOperation& operation, const char* key, Part& part, Known& known) {
    const MilValue* value = valueAt(operation, key);
    if (!value) return false;
    part.isThere = true;
    part.dtype = value->dtype;
    part.shape = value->sides;
    if (!value->blobFile) {
        const auto count = elementCount(value->sides);
        part.inlined = value->bytes;
        return count && !part.inlined.empty() && packed::partBytes(part, *count) == part.inlined.size();
    }
    const auto file = m_context.weightFile(*value->blobFile);
    const auto blob = file ? readBlob(m_context.weights(*file), value->blobOffset) : std::nullopt;
    const auto type = blob ? blobType(blob->type) : std::nullopt;
    if (!type || (known.file != 0 && known.file != *file)) return false;
    known.file = *file;
    known.bytes += blob->bytes;
    known.parts.push_back(m_prefix + operation.output + "." + key);
    part.encoding = type->encoding;
    part.dtype = type->dtype;
    part.bits = type->bits;
    part.offset = blob->offset;
    return true;
}

// How the weight follows from its components (apple/coremltools: coremltools/converters/mil/mil/ops/defs/iOS16/constexpr_ops.py,
// iOS18/compression.py). False for combinations that are not supported.
bool ProgramTensors::describe(const MilOperation& operation, Known& known) {
    known.sides = operation.result.sides;
    Weight& weight = known.packed.emplace();
    weight.shape = known.sides;
    const std::size_t rank = weight.shape.size();
    const auto has = [&](const char* key) { return valueAt(operation, key) != nullptr; };
    // The older operations keep codes and masks as a list of bytes.
    const auto asBits = [](Part& part, unsigned bits) {
        if (part.encoding != packed::Encoding::Plain || part.dtype != Dtype::U8) return;
        part.encoding = packed::Encoding::Unsigned;
        part.bits = static_cast<std::uint8_t>(bits);
    };
    if (operation.type == "constexpr_affine_dequantize") {
        known.scheme = "affine";
        const auto axis = integerAt(operation, "axis");
        return takePart(operation, "quantized_data", weight.codes, known) && takePart(operation, "scale", weight.scale, known) &&
               takePart(operation, "zero_point", weight.zero, known) && spread(weight.scale, weight.scale.shape, rank, axis) &&
               spread(weight.zero, weight.zero.shape, rank, axis);
    }
    if (operation.type == "constexpr_blockwise_shift_scale") {
        known.scheme = "blockwise";
        if (has("offset") &&
            (!takePart(operation, "offset", weight.zero, known) || !spread(weight.zero, weight.zero.shape, rank, 0)))
            return false;
        return takePart(operation, "data", weight.codes, known) && takePart(operation, "scale", weight.scale, known) &&
               spread(weight.scale, weight.scale.shape, rank, 0);
    }
    if (operation.type == "constexpr_lut_to_dense") {
        known.scheme = "lookup table";
        if (!takePart(operation, "indices", weight.codes, known) || !takePart(operation, "lut", weight.codebook, known))
            return false;
        std::vector<std::uint64_t>& table = weight.codebook.shape;
        if (table.size() == 1) { // one table, and indices of as few bits as it needs
            if (!std::has_single_bit(table[0]) || table[0] > 256 || table[0] < 2) return false;
            asBits(weight.codes, static_cast<unsigned>(std::countr_zero(table[0])));
            table.insert(table.begin(), rank, 1);
            return true;
        }
        if (table.size() != rank + 2 || table.back() != 1) return false; // vectors of several values are not supported
        table.pop_back();
        return true;
    }
    if (operation.type == "constexpr_sparse_to_dense") {
        known.scheme = "sparse";
        if (!takePart(operation, "nonzero_data", weight.codes, known) || !takePart(operation, "mask", weight.mask, known))
            return false;
        asBits(weight.mask, 1);
        return true;
    }
    known.scheme = "cast";
    return operation.type == "constexpr_cast" && takePart(operation, "source_val", weight.codes, known);
}

Result<void> ProgramTensors::addCompressed(const MilOperation& operation) {
    for (const auto& [key, argument] : operation.arguments) {
        if (!argument.value || !argument.value->blobFile) continue;
        WB_TRY_ASSIGN(auto part, storedTensor(operation.output + "." + key, *argument.value));
        if (part) WB_TRY(m_context.add(std::move(*part)));
    }
    Known known;
    const bool isDescribed = describe(operation, known);
    const auto shape = Shape::make(known.sides);
    if (!isDescribed || !shape || !packed::isSound(*known.packed, m_context.weights(known.file).size())) {
        m_context.findings().add(Severity::Warning, "coreml.compressed", std::nullopt,
                                 WB_TEXT("{}: the weight {} is compressed in an unsupported way; only its components are listed."),
                                 formats::shown(operation.output));
        return {};
    }
    m_known[operation.output] = std::move(known);
    return {};
}

// The arguments of an operation that are weights, under its name.
Result<void> ProgramTensors::addWeights(const MilOperation& operation) {
    for (const auto& [key, argument] : operation.arguments) {
        const auto found = argument.name.empty() ? m_known.end() : m_known.find(argument.name);
        if (found == m_known.end()) continue;
        const Known& known = found->second;
        const std::string name = m_prefix + operation.output + "." + key;
        if (known.packed) {
            WB_TRY(m_context.add(packed::logicalTensor(m_context.index(), known.file, *known.packed, name,
                                                       *Shape::make(known.sides), known.scheme, known.parts, known.bytes)));
            continue;
        }
        TensorInfo tensor = *known.stored;
        auto details = std::make_shared<TensorDetails>();
        details->scheme = "constant";
        details->parts = {tensor.name};
        tensor.name = name;
        tensor.logical = true;
        tensor.details = std::move(details);
        WB_TRY(m_context.add(std::move(tensor)));
    }
    return {};
}

} // namespace wb::coreml
