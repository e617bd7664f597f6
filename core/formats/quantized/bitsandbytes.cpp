// SPDX-License-Identifier: MIT
#include "core/formats/quantized/bitsandbytes.h"

#include "core/formats/json/json.h"

#include <array>

namespace wb::quantized {
namespace {

std::uint64_t numberAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->unsignedNumber().value_or(0) : 0;
}

std::optional<Shape> shapeAt(const ValueObject& object) {
    const Value* value = object.find("shape");
    const ValueArray* list = value ? value->array() : nullptr;
    if (!list || !list->complete()) return std::nullopt;
    std::vector<std::uint64_t> dimensions;
    for (const Value& side : list->first) {
        const auto number = side.unsignedNumber();
        if (!number) return std::nullopt;
        dimensions.push_back(*number);
    }
    return Shape::make(dimensions);
}

} // namespace

std::optional<QuantState> parseQuantState(std::string_view text) {
    std::vector<Problem> ignored;
    const auto value = json::parse(text, "quant_state", {}, ignored);
    const ValueObject* object = value ? value->object() : nullptr;
    const auto shape = object ? shapeAt(*object) : std::nullopt;
    const Value* type = object ? object->find("quant_type") : nullptr;
    if (!shape || !type || !type->string()) return std::nullopt;
    QuantState state{*type->string(), *shape, numberAt(*object, "blocksize"), numberAt(*object, "nested_blocksize"), 0};
    if (const Value* offset = object->find("nested_offset")) state.nestedOffset = static_cast<float>(offset->number().value_or(0));
    if (state.blockSize == 0) return std::nullopt;
    return state;
}

Result<std::vector<float>> BitsAndBytesRecipe::readMaxima(std::span<const TensorReader> inputs, std::uint64_t first,
                                                          std::uint64_t count) const {
    std::vector<float> maxima(count);
    std::vector<std::byte> scratch;
    if (m_state.nestedBlockSize == 0) {
        WB_TRY(inputs[1].readF32(first, maxima, scratch));
        return maxima;
    }
    std::vector<std::byte> codes(count);
    WB_TRY(inputs[1].readRaw(first, count, codes));
    const std::uint64_t firstNested = first / m_state.nestedBlockSize;
    std::vector<float> nested((first + count - 1) / m_state.nestedBlockSize - firstNested + 1);
    WB_TRY(inputs[3].readF32(firstNested, nested, scratch));
    std::array<float, 256> map;
    WB_TRY(inputs[4].readF32(0, map, scratch));
    for (std::uint64_t i = 0; i < count; ++i)
        maxima[i] = map[static_cast<std::uint8_t>(codes[i])] * nested[(first + i) / m_state.nestedBlockSize - firstNested] +
                    m_state.nestedOffset;
    return maxima;
}

Result<void> BitsAndBytesRecipe::readF32(std::span<const TensorReader> inputs, std::uint64_t first, std::span<float> out) const {
    if (out.empty()) return {};
    std::array<float, 16> map;
    std::vector<std::byte> scratch;
    WB_TRY(inputs[2].readF32(0, map, scratch));
    const std::uint64_t firstBlock = first / m_state.blockSize;
    WB_TRY_ASSIGN(const std::vector<float> maxima,
                  readMaxima(inputs, firstBlock, (first + out.size() - 1) / m_state.blockSize - firstBlock + 1));
    // The bytes may be stored as elements of a wider type.
    const std::uint64_t width = info(part(0).dtype).blockBytes;
    const std::uint64_t from = first / 2 / width, to = (first + out.size() - 1) / 2 / width + 1;
    std::vector<std::byte> bytes((to - from) * width);
    WB_TRY(inputs[0].readRaw(from, to - from, bytes));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint64_t element = first + i;
        const auto byte = static_cast<unsigned>(bytes[element / 2 - from * width]);
        out[i] = map[element % 2 == 0 ? byte >> 4 : byte & 15] * maxima[element / m_state.blockSize - firstBlock];
    }
    return {};
}

} // namespace wb::quantized
