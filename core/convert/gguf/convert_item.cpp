// SPDX-License-Identifier: MIT
#include "core/convert/gguf/convert_item.h"

#include "core/quant/quantize.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wb::convert {
namespace {

// A bias is permuted as a matrix of one column.
std::uint64_t rowElements(const PlannedTensor& tensor) {
    return tensor.heads > 0 && tensor.shape.rank() == 1 ? 1 : tensor.shape.rowLength();
}

std::uint64_t headElements(const PlannedTensor& tensor) { return tensor.shape.elements() / tensor.heads; }

// Moves the rows of whole heads, of `rowBytes` bytes each, from halves to adjacent pairs: row 2i + j comes from row
// j * (rows of a head / 2) + i.
void permuteHeads(std::span<const std::byte> from, std::span<std::byte> to, std::size_t headRows, std::size_t rowBytes) {
    const std::size_t headBytes = headRows * rowBytes;
    for (std::size_t head = 0; head < from.size(); head += headBytes)
        for (std::size_t row = 0; row < headRows; ++row) {
            const std::size_t source = (row % 2) * (headRows / 2) + row / 2;
            std::memcpy(&to[head + row * rowBytes], &from[head + source * rowBytes], rowBytes);
        }
}

Result<void> requireFinite(const PlannedTensor& tensor, std::span<const float> values) {
    if (std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) return {};
    return fail(ErrorCode::Invalid, Reason("convert.not_finite"), About{tensor.name},
                WB_TEXT("{} contains NaN or infinite values, which {} cannot store."), tensor.name, name(tensor.to));
}

std::uint64_t writeF16(std::span<const float> values, std::span<std::byte> out) {
    std::uint64_t overflows = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint16_t code = f32ToF16(values[i]);
        overflows += (code & 0x7FFFU) == 0x7C00U && std::isfinite(values[i]);
        store(&out[i * sizeof code], code);
    }
    return overflows;
}

void writeBf16(std::span<const float> values, std::span<std::byte> out) {
    for (std::size_t i = 0; i < values.size(); ++i) store(&out[i * sizeof(std::uint16_t)], f32ToBf16(values[i]));
}

Result<std::uint64_t> writeValues(const PlannedTensor& tensor, std::span<const float> values, std::span<std::byte> out) {
    if (tensor.to == Dtype::F16) return writeF16(values, out);
    if (tensor.to == Dtype::BF16) writeBf16(values, out);
    else if (tensor.to == Dtype::F32) std::memcpy(out.data(), values.data(), values.size_bytes());
    else {
        WB_TRY(requireFinite(tensor, values));
        const auto columns = static_cast<std::size_t>(tensor.shape.rowLength());
        const std::size_t bytes = out.size() / (values.size() / columns);
        for (std::size_t row = 0; row < values.size() / columns; ++row)
            quant::quantizeRow(tensor.to, values.subspan(row * columns, columns), {}, out.subspan(row * bytes, bytes));
    }
    return 0;
}

// The values of the item in the order of the source.
struct ItemPlace {
    const TensorReader& reader;
    std::uint64_t first;
};

Result<void> copyItem(const PlannedTensor& tensor, const WorkItem& item, const ItemPlace& place, std::span<std::byte> result,
                      ItemBuffers& buffers) {
    if (tensor.heads == 0) return place.reader.readRaw(place.first, item.elements, result);
    buffers.raw.resize(result.size());
    WB_TRY(place.reader.readRaw(place.first, item.elements, buffers.raw));
    const std::uint64_t row = rowElements(tensor);
    permuteHeads(buffers.raw, result, headElements(tensor) / row, *rowBytes(tensor.to, row));
    return {};
}

// In the precision of the source, as the reference adds.
void addOne(Dtype from, std::span<float> values) {
    for (float& value : values) value = from == Dtype::F16 ? f16ToF32(f32ToF16(value + 1)) : value + 1;
}

Result<std::uint64_t> castItem(const PlannedTensor& tensor, const WorkItem& item, const ItemPlace& place,
                               std::span<std::byte> result, ItemBuffers& buffers) {
    buffers.values.resize(item.elements);
    WB_TRY(place.reader.readF32(place.first, buffers.values, buffers.raw));
    if (tensor.transform == Transform::AddOne) addOne(tensor.from, buffers.values);
    if (tensor.transform == Transform::NegateExp || tensor.transform == Transform::NegateExpColumn)
        for (float& value : buffers.values) value = negatedExp(value);
    if (tensor.heads == 0) return writeValues(tensor, buffers.values, result);
    buffers.permuted.resize(item.elements);
    const std::uint64_t row = rowElements(tensor);
    permuteHeads(std::as_bytes(std::span(buffers.values)), std::as_writable_bytes(std::span(buffers.permuted)),
                 headElements(tensor) / row, row * sizeof(float));
    return writeValues(tensor, buffers.permuted, result);
}

// Sixteen bytes of a block hold its 32 values in order, the even ones in the low halves; GGUF has the first sixteen there, the
// others in the high ones, and the scale before them (docs/reference/conversion.md, "MXFP4 and NVFP4").
void repackBlock(std::span<const std::byte> from, std::span<std::byte> to) {
    const auto value = [from](std::size_t i) { return (from[i / 2] >> (i % 2 * 4)) & std::byte{15}; };
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = value(i) | (value(i + from.size()) << 4);
}

Result<void> repackItem(const WorkItem& item, const TensorReader& blocks, const TensorReader& scales, std::span<std::byte> result,
                        ItemBuffers& buffers) {
    constexpr std::size_t blockElements = 32, blockBytes = 16;
    const std::uint64_t first = item.first / blockElements, count = item.elements / blockElements;
    buffers.raw.resize(count * (blockBytes + 1));
    const auto codes = std::span(buffers.raw).first(count * blockBytes), factors = std::span(buffers.raw).subspan(codes.size());
    WB_TRY(blocks.readRaw(first * blockBytes, codes.size(), codes));
    WB_TRY(scales.readRaw(first, count, factors));
    for (std::size_t block = 0; block < count; ++block) {
        const auto out = result.subspan(block * (blockBytes + 1), blockBytes + 1);
        out[0] = factors[block];
        repackBlock(codes.subspan(block * blockBytes, blockBytes), out.subspan(1));
    }
    return {};
}

} // namespace

float negatedExp(float x) { return -static_cast<float>(std::exp(static_cast<double>(x))); }

Result<std::shared_ptr<const TensorInputs>> openInputs(const ConvertPlan& plan) {
    const Model& model = *plan.folder.model;
    WB_TRY_ASSIGN(auto inputs, TensorInputs::open(model, model.tensors));
    for (const PlannedTensor& tensor : plan.tensors) {
        std::vector<const TensorInfo*> read;
        for (const TensorInfo& view : tensor.views) read.push_back(&view);
        for (std::size_t i = 0; tensor.views.empty() && i < tensor.sources.size(); ++i)
            read.push_back(&model.tensors[tensor.sources[i]]);
        WB_TRY(inputs->add(read));
    }
    return inputs;
}

std::uint64_t itemUnit(const PlannedTensor& tensor) {
    return std::max<std::uint64_t>(tensor.heads > 0 ? headElements(tensor) : tensor.shape.rowLength(), 1);
}

std::uint64_t sourceElements(const PlannedTensor& tensor) {
    const std::uint64_t count = isStack(tensor.transform) ? tensor.sources.size() : 1;
    return tensor.shape.elements() / std::max<std::uint64_t>(count, 1);
}

std::vector<WorkItem> workItems(const std::vector<PlannedTensor>& tensors) {
    std::vector<WorkItem> items;
    for (std::uint32_t t = 0; t < tensors.size(); ++t) {
        const PlannedTensor& tensor = tensors[t];
        const std::uint64_t elements = tensor.shape.elements();
        const std::uint64_t source = sourceElements(tensor), unit = itemUnit(tensor);
        const std::uint64_t step = std::max<std::uint64_t>(usualItemElements / unit, 1) * unit;
        for (std::uint64_t first = 0; first < elements;) {
            const std::uint64_t left = source - first % source; // of this source
            items.push_back({t, first, std::min(step, left)});
            first += items.back().elements;
        }
    }
    return items;
}

std::uint64_t bufferBytes(std::span<const WorkItem> items) {
    std::uint64_t elements = 0;
    for (const WorkItem& item : items) elements = std::max(elements, item.elements);
    return elements * (2 * sizeof(float) + sizeof(double)); // raw values of at most eight bytes
}

Result<std::uint64_t> convertItem(const PlannedTensor& tensor, const WorkItem& item, std::span<const TensorReader> readers,
                                  std::span<std::byte> result, ItemBuffers& buffers) {
    if (readers.empty()) return writeValues(tensor, std::span(tensor.generated).subspan(item.first, item.elements), result);
    if (isRepack(tensor.transform)) {
        WB_TRY(repackItem(item, readers[0], readers[1], result, buffers));
        return 0;
    }
    const std::uint64_t each = sourceElements(tensor);
    const ItemPlace place{readers[item.first / each], item.first % each};
    const bool changesValues = tensor.transform >= Transform::AddOne && tensor.transform <= Transform::NegateExpColumn;
    if (tensor.from != tensor.to || changesValues) return castItem(tensor, item, place, result, buffers);
    WB_TRY(copyItem(tensor, item, place, result, buffers));
    return 0;
}

} // namespace wb::convert
