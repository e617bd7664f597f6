// SPDX-License-Identifier: MIT
#include "core/quant/whatif/what_if.h"

#include "core/jobs/thread_pool.h"
#include "core/quant/imatrix/imatrix.h"
#include "core/quant/whatif/typical_levels.h"
#include "core/tensor/block_parts.h"
#include "core/tensor/decode.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

namespace wb::quant {
namespace {

constexpr std::uint64_t sliceElements = 1 << 17;
constexpr std::uint64_t typicalScales = 1 << 16; // that levels are found from

// The rows of a slice, as they are and as the type.
struct SliceBuffers {
    std::vector<std::byte> stored;
    std::vector<float> values;
    std::vector<std::byte> packed;
    std::vector<float> decoded; // one row
};

// What one slice of rows found.
struct Sums {
    double e2 = 0;
    double weighted = 0;
    double weightedW2 = 0;
    double w2 = 0;
    double v2 = 0;
    double wv = 0;
    double maxError = 0;
    std::uint64_t maxRow = 0;
    std::uint64_t maxColumn = 0;
    std::vector<WorstBlock> worst;
    ErrorMapSums map;
    TypicalLevels levels;

    explicit Sums(Dtype type) : levels(type) {}
};

void keepWorst(std::vector<WorstBlock>& worst, std::size_t count) {
    std::ranges::sort(worst, isWorse);
    if (worst.size() > count) worst.resize(count);
}

class Measurement {
public:
    Measurement(const TensorReader& reader, Dtype type, std::span<const float> weights, const WhatIfOptions& options)
        : m_reader(reader), m_type(type), m_weights(weights), m_options(options), m_length(reader.shape().rowLength()) {
        const std::uint64_t rows = reader.shape().rows();
        m_step = std::max<std::uint64_t>(1, options.rowStep);
        const std::uint64_t wanted = options.maxElements == 0
                                         ? rows
                                         : std::max<std::uint64_t>(1, options.maxElements / std::max<std::uint64_t>(1, m_length));
        m_step = std::max(m_step, (rows + wanted - 1) / std::max<std::uint64_t>(1, wanted));
        m_chosen = (rows + m_step - 1) / m_step;
        m_rowsPerSlice = std::max<std::uint64_t>(1, sliceElements / std::max<std::uint64_t>(1, m_length));
        m_slices.resize((m_chosen + m_rowsPerSlice - 1) / m_rowsPerSlice, Sums(type));
        const auto facts = blockFacts(type);
        const std::uint64_t scalesPerRow = facts ? std::max<std::uint64_t>(1, m_length / facts->groupElements) : 1;
        m_levelStep = (m_chosen * scalesPerRow + typicalScales - 1) / typicalScales;
    }

    Result<void> run(const Progress& progress) {
        std::atomic<std::uint64_t> done{0};
        return jobs::parallelFor(m_slices.size(), m_options.threads, progress.stop, [&](std::uint64_t i) -> Result<void> {
            WB_TRY(measureSlice(i));
            return progress.at(std::min(done += m_rowsPerSlice, m_chosen), m_chosen);
        });
    }

    WhatIf result() const;

private:
    Result<void> measureSlice(std::uint64_t slice);
    Result<void> readRows(std::uint64_t first, std::uint64_t count, SliceBuffers& buffers) const;
    Result<void> quantizeRows(std::uint64_t first, std::uint64_t count, SliceBuffers& buffers) const;
    Backend& backend() const { return m_options.backend ? *m_options.backend : *m_cpu; }
    std::uint64_t rowAt(std::uint64_t chosen) const { return chosen * m_step; }
    void measureRow(std::uint64_t row, std::span<const float> source, std::span<const float> decoded, Sums& sums) const;
    ErrorMapSums emptyMap() const { return {m_options.mapRows, m_options.mapColumns, m_reader.shape().rows(), m_length}; }
    std::span<const float> weightsFromRow(std::uint64_t row) const { return rowWeights(m_weights, m_reader.shape(), row); }
    std::uint64_t blockLength() const { return std::max<std::uint64_t>(wb::info(m_type).blockElements, 32); }

    const TensorReader& m_reader;
    Dtype m_type;
    std::span<const float> m_weights;
    WhatIfOptions m_options;
    std::uint64_t m_length;
    std::uint64_t m_step = 1;
    std::uint64_t m_chosen = 0; // rows looked at
    std::uint64_t m_rowsPerSlice = 1;
    std::uint64_t m_levelStep = 1; // of the rows looked at, whose scales count
    std::unique_ptr<Backend> m_cpu = makeCpuBackend();
    std::vector<Sums> m_slices;
};

Result<void> Measurement::readRows(std::uint64_t first, std::uint64_t count, SliceBuffers& buffers) const {
    buffers.values.resize(count * m_length);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto row = std::span(buffers.values).subspan(i * m_length, m_length);
        WB_TRY(m_reader.readF32(rowAt(first + i) * m_length, row, buffers.stored));
        if (!std::ranges::all_of(row, [](float x) { return std::isfinite(x); }))
            return fail(ErrorCode::Unsupported, rowNotFinite,
                        WB_TEXT("Row {} contains a NaN or infinite value, which cannot be quantized."), rowAt(first + i));
    }
    return {};
}

// As many rows at a time as share their weights.
Result<void> Measurement::quantizeRows(std::uint64_t first, std::uint64_t count, SliceBuffers& buffers) const {
    const std::size_t stride = *rowBytes(m_type, m_length);
    buffers.packed.resize(count * stride);
    for (std::uint64_t i = 0; i < count;) {
        const auto weights = weightsFromRow(rowAt(first + i));
        std::uint64_t end = i + 1;
        while (end < count && weightsFromRow(rowAt(first + end)).data() == weights.data()) ++end;
        const Rows rows{std::span(buffers.values).subspan(i * m_length, (end - i) * m_length), m_length, weights};
        WB_TRY(backend().quantize(m_type, rows, std::span(buffers.packed).subspan(i * stride, (end - i) * stride)));
        i = end;
    }
    return {};
}

Result<void> Measurement::measureSlice(std::uint64_t slice) {
    SliceBuffers buffers;
    const std::uint64_t first = slice * m_rowsPerSlice;
    const std::uint64_t count = std::min(m_chosen - first, m_rowsPerSlice);
    WB_TRY(readRows(first, count, buffers));
    WB_TRY(quantizeRows(first, count, buffers));
    Sums& sums = m_slices[slice];
    sums.map = emptyMap();
    const std::size_t stride = *rowBytes(m_type, m_length);
    buffers.decoded.resize(m_length);
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto packed = std::span(buffers.packed).subspan(i * stride, stride);
        decode(m_type, packed, buffers.decoded);
        measureRow(rowAt(first + i), std::span(buffers.values).subspan(i * m_length, m_length), buffers.decoded, sums);
        if (m_options.levels && (first + i) % m_levelStep == 0) sums.levels.add(packed);
    }
    keepWorst(sums.worst, m_options.worstBlocks);
    return {};
}

void Measurement::measureRow(std::uint64_t row, std::span<const float> source, std::span<const float> decoded, Sums& sums) const {
    const auto weights = weightsFromRow(row);
    const std::uint64_t block = blockLength();
    if (!sums.map.isEmpty()) sums.map.beginRow(row);
    for (std::uint64_t first = 0; first < m_length; first += block) {
        double blockError = 0;
        const std::uint64_t end = std::min(m_length, first + block);
        for (std::uint64_t c = first; c < end; ++c) {
            const double w = source[c];
            const double v = decoded[c];
            const double e = v - w;
            blockError += e * e;
            const double h = weights.empty() ? 1 : static_cast<double>(weights[c]);
            sums.weighted += h * (e * e);
            sums.weightedW2 += h * (w * w);
            sums.w2 += w * w;
            sums.v2 += v * v;
            sums.wv += w * v;
            if (std::abs(e) > sums.maxError) {
                sums.maxError = std::abs(e);
                sums.maxRow = row;
                sums.maxColumn = c;
            }
            if (!sums.map.isEmpty()) sums.map.add(c, e * e);
        }
        sums.e2 += blockError;
        if (m_options.worstBlocks > 0) sums.worst.push_back({row, first, blockError});
        if (!sums.map.isEmpty()) sums.map.addBlock({row, first, blockError}, end - first);
    }
    if (sums.worst.size() > m_options.worstBlocks * 4 + 1024) keepWorst(sums.worst, m_options.worstBlocks);
}

void add(Sums& total, const Sums& slice) {
    total.e2 += slice.e2;
    total.weighted += slice.weighted;
    total.weightedW2 += slice.weightedW2;
    total.w2 += slice.w2;
    total.v2 += slice.v2;
    total.wv += slice.wv;
    if (slice.maxError > total.maxError) {
        total.maxError = slice.maxError;
        total.maxRow = slice.maxRow;
        total.maxColumn = slice.maxColumn;
    }
    total.worst.insert(total.worst.end(), slice.worst.begin(), slice.worst.end());
    total.map.add(slice.map);
    total.levels.add(slice.levels);
}

WhatIf Measurement::result() const {
    Sums total(m_type);
    total.map = emptyMap();
    for (const Sums& slice : m_slices) add(total, slice);
    keepWorst(total.worst, m_options.worstBlocks);
    WhatIf found;
    found.type = m_type;
    found.bytes = rowBytes(m_type, m_reader.shape().elements()).value_or(0);
    found.elements = m_chosen * m_length;
    if (m_reader.elements() > 0)
        found.bitsPerWeight = 8.0 * static_cast<double>(found.bytes) / static_cast<double>(m_reader.elements());
    found.squaredError = total.e2;
    found.squaredValues = total.w2;
    found.weightedError = total.weighted;
    found.weightedValues = m_weights.empty() ? total.w2 : total.weightedW2;
    if (found.elements > 0) found.rmse = std::sqrt(total.e2 / static_cast<double>(found.elements));
    if (total.w2 > 0) found.relativeRmse = std::sqrt(total.e2 / total.w2);
    if (total.w2 > 0 && total.e2 > 0) found.snr = 10 * std::log10(total.w2 / total.e2);
    if (total.w2 > 0 && total.v2 > 0) found.cosine = total.wv / std::sqrt(total.w2 * total.v2);
    if (!m_weights.empty() && total.weightedW2 > 0) found.weightedRelative = std::sqrt(total.weighted / total.weightedW2);
    found.maxError = total.maxError;
    found.maxRow = total.maxRow;
    found.maxColumn = total.maxColumn;
    found.worst = std::move(total.worst);
    found.map = total.map.map();
    found.levels = total.levels.levels();
    found.device = backend().name();
    return found;
}

} // namespace

std::vector<Dtype> possibleTypes(const Shape& shape, bool hasWeights) {
    std::vector<Dtype> types;
    for (const DtypeInfo& type : allDtypes()) {
        if (!canQuantize(type.dtype) || shape.rowLength() % type.blockElements != 0) continue;
        if (hasWeights || weightUse(type.dtype) != WeightUse::Required) types.push_back(type.dtype);
    }
    std::ranges::stable_sort(types, {}, [](Dtype type) {
        return static_cast<double>(wb::info(type).blockBytes) / static_cast<double>(wb::info(type).blockElements);
    });
    return types;
}

Result<WhatIf> measure(const TensorReader& reader, Dtype type, std::span<const float> weights, const WhatIfOptions& options,
                       const Progress& progress) {
    if (!canQuantize(type) || !rowBytes(type, reader.shape().rowLength()))
        return fail(ErrorCode::Unsupported, Reason("whatif.blocks"), WB_TEXT("Rows of {} elements cannot be quantized to {}."),
                    reader.shape().rowLength(), name(type));
    const auto begin = std::chrono::steady_clock::now();
    Measurement measurement(reader, type, weights, options);
    WB_TRY(measurement.run(progress));
    WhatIf found = measurement.result();
    if (!std::isfinite(found.squaredError))
        return fail(ErrorCode::Unsupported, beyondRange, WB_TEXT("The values exceed the range of {}."), name(type));
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return found;
}

} // namespace wb::quant
