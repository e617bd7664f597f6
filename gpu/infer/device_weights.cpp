// SPDX-License-Identifier: MIT
#include "gpu/infer/device_weights.h"

#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"
#include "gpu/device/recorder.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>

namespace wb::gpu {
namespace {

constexpr std::uint64_t stagingBytes = 8u << 20;
constexpr std::uint64_t readBytes = 256u << 10; // by one thread at once
constexpr std::uint64_t maxGroups = 65'535;     // of a dispatch, everywhere

infer::Slice whole(const TensorInfo* tensor) { return {tensor, 0, tensor ? tensor->shape.rows() : 0}; }

// Two pieces of memory of the host that are filled and copied to the device in turn.
class Staging {
public:
    explicit Staging(DevicePtr device) : m_device(std::move(device)) {}

    // Memory to be filled, free of earlier copies.
    Result<std::span<std::byte>> begin(std::uint64_t bytes) {
        m_at = 1 - m_at;
        Place& place = m_places[m_at];
        if (place.busy) WB_TRY(place.busy->wait());
        place.busy.reset();
        if (!place.buffer || place.buffer->bytes() < bytes) {
            WB_TRY_ASSIGN(place.buffer, m_device->buffer(std::max(bytes, stagingBytes), Memory::Upload));
        }
        return place.buffer->map<std::byte>();
    }

    struct Copy {
        std::uint64_t from;
        View to;
    };
    Result<void> send(std::initializer_list<Copy> copies) {
        Place& place = m_places[m_at];
        Recorder recorder(m_device);
        for (const Copy& copy : copies)
            if (copy.to.bytes > 0) recorder.copy(place.buffer->view(copy.from, copy.to.bytes), copy.to);
        WB_TRY_ASSIGN(place.busy, m_device->submit(std::move(recorder)));
        return {};
    }

    Result<void> finish() const {
        for (const Place& place : m_places)
            if (place.busy) WB_TRY(place.busy->wait());
        return {};
    }

private:
    struct Place {
        BufferPtr buffer;
        std::optional<Ticket> busy;
    };
    DevicePtr m_device;
    std::array<Place, 2> m_places;
    std::size_t m_at = 0;
};

View partOf(const View& view, std::uint64_t offset, std::uint64_t bytes) { return {view.buffer, view.offset + offset, bytes}; }

class Loader {
public:
    Loader(DevicePtr device, const infer::Graph& graph, unsigned threads, const Progress& progress)
        : m_device(device), m_graph(graph), m_threads(threads), m_progress(progress), m_arena(device, Memory::Device),
          m_staging(device), m_total(graph.model->tensorBytes()) {}

    Result<DeviceWeights> load(std::size_t first) {
        m_weights.layers.resize(m_graph.layers.size());
        for (std::size_t i = first; i < m_graph.layers.size(); ++i) WB_TRY(layer(m_graph.layers[i], m_weights.layers[i]));
        WB_TRY(vector(m_graph.outputNorm.weight, m_weights.outputNorm));
        WB_TRY(matrix(whole(m_graph.output), {m_graph.outputBias, 0, m_graph.vocabulary}, m_weights.output));
        if (m_graph.ropeFactors) {
            WB_TRY_ASSIGN(m_weights.ropeFactors, read({m_graph.ropeFactors, 0, m_graph.ropeFactors->shape.elements()}));
        }
        WB_TRY(m_staging.finish());
        m_weights.bytes = m_arena.handed();
        return std::move(m_weights);
    }

private:
    Result<void> layer(const infer::LayerTensors& from, DeviceLayer& to) {
        WB_TRY(vector(from.attentionNorm.weight, to.attentionNorm));
        WB_TRY(vector(from.feedForwardNorm.weight, to.feedForwardNorm));
        WB_TRY(matrix(from.q, from.qBias, to.q));
        WB_TRY(matrix(from.k, from.kBias, to.k));
        WB_TRY(matrix(from.v, from.vBias, to.v));
        WB_TRY(matrix(whole(from.out), biasOf(from.outBias), to.out));
        WB_TRY(matrix(from.gate, from.gateBias, to.gate));
        WB_TRY(matrix(from.up, from.upBias, to.up));
        return matrix(whole(from.down), biasOf(from.downBias), to.down);
    }

    static infer::Slice biasOf(const TensorInfo* tensor) { return {tensor, 0, tensor ? tensor->shape.elements() : 0}; }

    Result<std::vector<float>> read(const infer::Slice& elements) const {
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*m_graph.model, *elements.tensor));
        std::vector<float> values(elements.count);
        std::vector<std::byte> scratch;
        WB_TRY(reader.readF32(elements.first, values, scratch));
        return values;
    }

    Result<void> send(std::span<const float> values, const View& to) {
        WB_TRY_ASSIGN(const auto staging, m_staging.begin(values.size_bytes()));
        std::ranges::copy(std::as_bytes(values), staging.begin());
        return m_staging.send({{0, to}});
    }

    Result<void> vector(const TensorInfo* tensor, View& to) {
        WB_TRY_ASSIGN(const std::vector<float> values, read({tensor, 0, tensor->shape.elements()}));
        WB_TRY_ASSIGN(to, m_arena.take(values.size() * sizeof(float)));
        return send(values, to);
    }

    Result<void> matrix(const infer::Slice& rows, const infer::Slice& bias, DeviceMatrix& to) {
        WB_TRY(m_progress.at(m_done, m_total));
        to.layout = findWeightLayout(rows.tensor->dtype);
        to.rows = rows.count;
        to.columns = rows.tensor->shape.rowLength();
        std::vector<float> biases;
        if (bias) {
            WB_TRY_ASSIGN(biases, read(bias));
        }
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*m_graph.model, *rows.tensor));
        const std::uint64_t rowBytes = to.layout->rowBytes(to.columns);
        const std::uint64_t most = std::clamp<std::uint64_t>(m_device->info().viewBytes / rowBytes, 1, maxGroups * WB_ROWS_AT_ONCE);
        for (std::uint64_t first = 0; first < to.rows; first += most)
            WB_TRY(part(reader, rows.first, to, first, std::min(most, to.rows - first), biases));
        m_done = std::min(m_total, m_done + reader.byteCount(to.rows * to.columns));
        m_weights.bytesPerToken += to.rows * (rowBytes + 4 * to.layout->rowScales(to.columns));
        return reader.checkUnchanged();
    }

    Result<void> part(const TensorReader& reader, std::uint64_t tensorRow, DeviceMatrix& matrix, std::uint64_t first,
                      std::uint64_t rows, std::span<const float> biases) {
        const std::uint64_t scaleWords = rows * matrix.layout->rowScales(matrix.columns), biasWords = biases.empty() ? 0 : rows;
        MatrixPart part;
        part.firstRow = static_cast<std::uint32_t>(first);
        part.rows = static_cast<std::uint32_t>(rows);
        WB_TRY_ASSIGN(part.weights, m_arena.take(rows * matrix.layout->rowBytes(matrix.columns)));
        WB_TRY_ASSIGN(part.scales, m_arena.take((scaleWords + biasWords) * 4));
        if (biasWords > 0) {
            part.biasAt = static_cast<std::uint32_t>(scaleWords);
            WB_TRY(send(biases.subspan(first, rows), partOf(part.scales, scaleWords * 4, biasWords * 4)));
        }
        WB_TRY(fill(reader, tensorRow + first, matrix, part));
        matrix.parts.push_back(std::move(part));
        return {};
    }

    Result<void> fill(const TensorReader& reader, std::uint64_t tensorRow, const DeviceMatrix& matrix, const MatrixPart& part) {
        const std::uint64_t rowBytes = matrix.layout->rowBytes(matrix.columns);
        const std::uint64_t scaleBytes = 4 * matrix.layout->rowScales(matrix.columns);
        const std::uint64_t step = std::max<std::uint64_t>(1, stagingBytes / (rowBytes + scaleBytes));
        for (std::uint64_t first = 0; first < part.rows; first += step) {
            WB_TRY(m_progress.stop.stop_requested() ? Result<void>(std::unexpected(cancelled())) : Result<void>());
            const std::uint64_t rows = std::min<std::uint64_t>(step, part.rows - first);
            WB_TRY_ASSIGN(const auto staging, m_staging.begin(rows * (rowBytes + scaleBytes)));
            WB_TRY(pack(reader, tensorRow + first, rows, matrix, staging));
            WB_TRY(m_staging.send({{0, partOf(part.weights, first * rowBytes, rows * rowBytes)},
                                   {rows * rowBytes, partOf(part.scales, first * scaleBytes, rows * scaleBytes)}}));
        }
        return {};
    }

    // All rows' weights, then all rows' scales.
    Result<void> pack(const TensorReader& reader, std::uint64_t tensorRow, std::uint64_t rows, const DeviceMatrix& matrix,
                      std::span<std::byte> out) const {
        const WeightLayout& layout = *matrix.layout;
        const std::uint64_t columns = matrix.columns, stored = reader.byteCount(columns), rowBytes = layout.rowBytes(columns);
        auto* const scales = reinterpret_cast<std::uint32_t*>(out.data() + rows * rowBytes);
        const std::uint64_t atOnce = std::max<std::uint64_t>(1, readBytes / stored);
        return jobs::parallelFor((rows + atOnce - 1) / atOnce, m_threads, m_progress.stop,
                                 [&](std::uint64_t index) -> Result<void> {
                                     const std::uint64_t first = index * atOnce, count = std::min(atOnce, rows - first);
                                     std::vector<std::byte> bytes(count * stored);
                                     WB_TRY(reader.readRaw((tensorRow + first) * columns, count * columns, bytes));
                                     for (std::uint64_t r = 0; r < count; ++r)
                                         packRow(layout, bytes.data() + r * stored, columns, out.data() + (first + r) * rowBytes,
                                                 scales + (first + r) * layout.rowScales(columns));
                                     return {};
                                 });
    }

    DevicePtr m_device;
    const infer::Graph& m_graph;
    unsigned m_threads;
    const Progress& m_progress;
    Arena m_arena;
    Staging m_staging;
    std::uint64_t m_total;
    std::uint64_t m_done = 0;
    DeviceWeights m_weights;
};

} // namespace

std::uint64_t deviceBytes(const infer::Slice& rows) {
    const WeightLayout& layout = *findWeightLayout(rows.tensor->dtype);
    const std::uint64_t columns = rows.tensor->shape.rowLength();
    return Arena::roomFor(rows.count * layout.rowBytes(columns)) + Arena::roomFor(rows.count * 4 * (layout.rowScales(columns) + 1));
}

Result<DeviceWeights> loadDeviceWeights(const DevicePtr& device, const infer::Graph& graph, std::size_t first, unsigned threads,
                                        const Progress& progress) {
    return Loader(device, graph, threads, progress).load(first);
}

} // namespace wb::gpu
