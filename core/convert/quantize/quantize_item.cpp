// SPDX-License-Identifier: MIT
#include "core/convert/quantize/quantize_item.h"

#include "core/convert/quantize/error_sums.h"
#include "core/convert/quantize/finite.h"
#include "core/quant/quantize.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace wb::quantize {
namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

// The difference of the result from the values, decoded in slices that stay in the cache.
ErrorSums dtypeError(Dtype to, std::span<const std::byte> result, ItemBuffers& buffers) {
    ErrorSums sums;
    buffers.decoded.resize(std::min(comparedElements, buffers.values.size()));
    for (std::size_t i = 0; i < buffers.values.size(); i += comparedElements) {
        const std::size_t count = std::min(comparedElements, buffers.values.size() - i);
        const auto decoded = std::span(buffers.decoded).first(count);
        decode(to, result.subspan(*rowBytes(to, i), *rowBytes(to, count)), decoded);
        sums += errorSums(std::span(buffers.values).subspan(i, count), decoded);
    }
    return sums;
}

bool usesWeights(const PlannedTensor& planned) {
    return !planned.copied() && !planned.weights.empty() && quant::weightUse(planned.to) != quant::WeightUse::Ignored;
}

// The weights from `first` on, read once for the rows of an item that share them.
Result<std::span<const float>> readWeights(const PlannedTensor& planned, std::uint64_t first, std::uint64_t count,
                                           ItemBuffers& buffers) {
    if (!usesWeights(planned)) return std::span<const float>();
    if (buffers.firstWeight != first) {
        buffers.weights.resize(count);
        WB_TRY(planned.weights.read(first, buffers.weights));
        buffers.firstWeight = first;
    }
    return std::span<const float>(buffers.weights);
}

// Calls visit(first, end, weights) for each run of rows of an item that share their weights.
template <typename Visit>
Result<void> forEachRun(const PlannedTensor& planned, const Shape& shape, const WorkItem& item, ItemBuffers& buffers, Visit visit) {
    const std::uint64_t length = std::max<std::uint64_t>(1, shape.rowLength()), firstRow = item.first / length,
                        firstColumn = item.first % length;
    const auto placeOf = [&](std::uint64_t r) { return quant::firstWeight(planned.weights.size(), shape, firstRow + r); };
    for (std::uint64_t r = 0; r < item.rows;) {
        const std::uint64_t place = placeOf(r);
        std::uint64_t end = r + 1;
        while (end < item.rows && placeOf(end) == place) ++end;
        WB_TRY_ASSIGN(const auto weights, readWeights(planned, place + firstColumn, item.columns, buffers));
        WB_TRY(visit(r, end, weights));
        r = end;
    }
    return {};
}

Result<void> quantizeRows(const PlannedTensor& planned, const Shape& shape, const WorkItem& item, quant::Backend& backend,
                          ItemBuffers& buffers, std::span<std::byte> result) {
    const std::uint64_t length = item.columns;
    const std::size_t stride = *rowBytes(planned.to, length);
    const auto values = std::span<const float>(buffers.values);
    return forEachRun(planned, shape, item, buffers, [&](std::uint64_t first, std::uint64_t end, std::span<const float> weights) {
        const quant::Rows rows{values.subspan(first * length, (end - first) * length), length, weights};
        return backend.quantize(planned.to, rows, result.subspan(first * stride, (end - first) * stride));
    });
}

// The same from the rows as they are stored, where the backend does everything.
Result<std::optional<ErrorSums>> quantizeStored(const PlannedTensor& planned, const TensorReader& reader, const WorkItem& item,
                                                quant::Backend& backend, ItemBuffers& buffers, std::span<std::byte> result) {
    const std::size_t from = reader.byteCount(item.columns), to = *rowBytes(planned.to, item.columns);
    const auto source = std::span<const std::byte>(buffers.source);
    std::optional<ErrorSums> sums = ErrorSums{};
    WB_TRY(forEachRun(planned, reader.shape(), item, buffers,
                      [&](std::uint64_t first, std::uint64_t end, std::span<const float> weights) -> Result<void> {
                          if (!sums) return {};
                          const quant::StoredRows rows{source.subspan(first * from, (end - first) * from), reader.dtype(),
                                                       item.columns, weights};
                          WB_TRY_ASSIGN(const auto part,
                                        backend.quantizeStored(planned.to, rows, result.subspan(first * to, (end - first) * to)));
                          if (part) *sums += *part;
                          else sums.reset();
                          return {};
                      }));
    return sums;
}

// How many rows of an item are worked on at a time.
std::uint64_t rowsAtATime(std::uint64_t bestValues, std::uint64_t length) {
    return std::max<std::uint64_t>(1, bestValues / std::max<std::uint64_t>(1, length));
}

Result<ErrorSums> quantizePart(const PlannedTensor& planned, const WorkItem& part, const TensorReader& reader,
                               quant::Backend& backend, std::span<std::byte> result, ItemBuffers& buffers) {
    const std::uint64_t count = part.elements();
    buffers.source.resize(reader.byteCount(count));
    WB_TRY(reader.readRaw(part.first, count, buffers.source));
    if (hasBadExponent(reader.dtype(), buffers.source)) return ErrorSums{0, notANumber, 0, 0};
    WB_TRY_ASSIGN(const auto stored, quantizeStored(planned, reader, part, backend, buffers, result));
    if (stored) return *stored;
    buffers.values.resize(count);
    decode(reader.dtype(), buffers.source, buffers.values);
    WB_TRY(quantizeRows(planned, reader.shape(), part, backend, buffers, result));
    return dtypeError(planned.to, result, buffers);
}

Error notFinite(const Model& model, const TensorInfo& tensor) {
    return makeError(ErrorCode::Malformed, Reason("quantize.not_finite"), About{model.files[0].name},
                     WB_TEXT("{} cannot be quantized: {} contains a NaN or infinite value; repair the model first."),
                     model.files[0].name, tensor.name);
}

Error tooLarge(const Model& model, const TensorInfo& tensor, Dtype to) {
    return makeError(ErrorCode::TooLarge, Reason("quantize.beyond_range"), About{model.files[0].name},
                     WB_TEXT("{} cannot be quantized: {} has values outside the range of {}; choose BF16 or F32 for it."),
                     model.files[0].name, tensor.name, name(to));
}

// All parts of an item, one after another.
Result<ErrorSums> quantizeParts(const PlannedTensor& planned, const WorkItem& item, const TensorReader& reader,
                                quant::Backend& backend, std::span<std::byte> whole, ItemBuffers& buffers) {
    buffers.firstWeight.reset();
    const std::size_t stride = *rowBytes(planned.to, item.columns);
    const std::uint64_t step = rowsAtATime(backend.bestValues(), item.columns);
    ErrorSums sums;
    for (std::uint64_t row = 0; row < item.rows; row += step) {
        const WorkItem part{item.tensor, item.first + row * item.columns, std::min(step, item.rows - row), item.columns};
        const auto result = whole.subspan(row * stride, part.rows * stride);
        WB_TRY_ASSIGN(const ErrorSums error, quantizePart(planned, part, reader, backend, result, buffers));
        sums += error;
    }
    return sums;
}

// Whether values have a root mean square that no block with f16 or smaller scales holds (Q6_K the most, up to 2.7e8). Sums of fits
// overflow from 1e14 on, and their results are zeros, which look valid. MXFP4's scales go up to 2^127.
bool isBeyondBlocks(Dtype to, const ErrorSums& sums, std::uint64_t elements) {
    constexpr double maxMeanSquare = 1e18;
    return info(to).kind == DtypeKind::Block && to != Dtype::MXFP4 && sums.w2 > maxMeanSquare * static_cast<double>(elements);
}

// Why the result cannot be kept.
std::optional<Error> itemRefusal(const QuantizePlan& plan, const WorkItem& item, const ErrorSums& sums,
                                 std::span<const std::byte> result) {
    const PlannedTensor& planned = plan.tensors[item.tensor];
    const TensorInfo& tensor = plan.model->tensors[planned.source];
    if (!std::isfinite(sums.w2)) return notFinite(*plan.model, tensor);
    const bool isBad = hasBadExponent(planned.to, result); // of values between 2^-126 and 2^-125 at most, as in the reference
    if (!isBad && std::isfinite(sums.v2) && !isBeyondBlocks(planned.to, sums, item.elements())) return {};
    return tooLarge(*plan.model, tensor, planned.to);
}

} // namespace

BufferSizes bufferSizes(const QuantizePlan& plan, std::span<const WorkItem> items, std::uint64_t bestValues) {
    BufferSizes max;
    for (const WorkItem& item : items) {
        const PlannedTensor& planned = plan.tensors[item.tensor];
        const std::size_t elements = std::min(item.rows, rowsAtATime(bestValues, item.columns)) * item.columns;
        max.decoded = std::max<std::size_t>(max.decoded, std::min<std::uint64_t>(comparedElements, item.elements()));
        if (planned.copied()) continue;
        max.source = std::max<std::size_t>(max.source, rowBytes(planned.from, elements).value_or(0));
        max.values = std::max(max.values, elements);
        if (usesWeights(planned)) max.weights = std::max<std::size_t>(max.weights, item.columns);
    }
    return max;
}

void ItemBuffers::reserve(const BufferSizes& sizes) {
    source.reserve(sizes.source);
    values.reserve(sizes.values);
    decoded.reserve(sizes.decoded);
    weights.reserve(sizes.weights);
}

Result<ErrorSums> quantizeItem(const QuantizePlan& plan, const WorkItem& item, const TensorReader& reader, quant::Backend& backend,
                               std::span<std::byte> result, ItemBuffers& buffers) {
    const PlannedTensor& planned = plan.tensors[item.tensor];
    const TensorInfo& tensor = plan.model->tensors[planned.source];
    if (planned.copied()) {
        WB_TRY(reader.readRaw(item.first, item.elements(), result));
        if (!plan.keepsBytes && !isFinite(planned.from, result, buffers.decoded))
            return std::unexpected(notFinite(*plan.model, tensor));
        return ErrorSums{};
    }
    WB_TRY_ASSIGN(ErrorSums sums, quantizeParts(planned, item, reader, backend, result, buffers));
    if (!itemRefusal(plan, item, sums, result)) return sums;
    // A device may be wrong rather than the model: the CPU has the last word.
    WB_TRY_ASSIGN(sums, quantizeParts(planned, item, reader, *quant::makeCpuBackend(), result, buffers));
    if (auto refusal = itemRefusal(plan, item, sums, result)) return std::unexpected(*std::move(refusal));
    backend.distrust(planned.to);
    return sums;
}

} // namespace wb::quantize
