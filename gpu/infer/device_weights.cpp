// SPDX-License-Identifier: MIT
#include "gpu/infer/device_weights.h"

#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"
#include "gpu/device/recorder.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wb::gpu {
namespace {

constexpr std::uint64_t stagingBytes = 8u << 20;
constexpr std::uint64_t readBytes = 256u << 10; // by one thread at once
constexpr std::uint64_t maxGroups = 65'535;     // of a dispatch, everywhere

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
    Loader(DevicePtr device, const Model& model, unsigned threads, const Progress& progress)
        : m_model(model), m_threads(threads), m_progress(progress), m_staging(std::move(device)), m_total(model.tensorBytes()) {}

    Result<void> vector(const infer::Slice& elements, const View& to) {
        WB_TRY_ASSIGN(const std::vector<float> values, read(elements));
        return send(values, to);
    }

    Result<void> matrix(const infer::Slice& rows, const infer::Slice& bias, const DeviceMatrix& to) {
        WB_TRY(m_progress.at(m_done, m_total));
        std::vector<float> biases;
        if (bias) {
            WB_TRY_ASSIGN(biases, read(bias));
        }
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, *rows.tensor));
        for (const MatrixPart& part : to.parts) {
            const View& scales = part.scales;
            if (bias)
                WB_TRY(send(std::span<const float>(biases).subspan(part.firstRow, part.rows),
                            partOf(scales, std::uint64_t{part.biasAt} * 4, std::uint64_t{part.rows} * 4)));
            WB_TRY(fill(reader, rows.first + part.firstRow, to, part));
        }
        m_done = std::min(m_total, m_done + reader.byteCount(to.rows * to.columns));
        return reader.checkUnchanged();
    }

    Result<void> finish() const { return m_staging.finish(); }

private:
    Result<std::vector<float>> read(const infer::Slice& elements) const {
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, *elements.tensor));
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

    Result<void> fill(const TensorReader& reader, std::uint64_t tensorRow, const DeviceMatrix& matrix, const MatrixPart& part) {
        const std::uint64_t rowBytes = matrix.layout->rowBytes(matrix.columns);
        const std::uint64_t scaleBytes = 4 * matrix.layout->rowScales(matrix.columns);
        const std::uint64_t step = std::max<std::uint64_t>(1, stagingBytes / (rowBytes + scaleBytes));
        for (std::uint64_t first = 0; first < part.rows; first += step) {
            WB_TRY(m_progress.stop.stop_requested() ? Result<void>(std::unexpected(canceled())) : Result<void>());
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

    const Model& m_model;
    unsigned m_threads;
    const Progress& m_progress;
    Staging m_staging;
    std::uint64_t m_total;
    std::uint64_t m_done = 0;
};

// Parts of a matrix, without their memory.
DeviceMatrix matrixShape(const infer::Linear& linear, std::uint64_t viewBytes) {
    DeviceMatrix matrix;
    matrix.layout = findWeightLayout(linear.weight.tensor->dtype);
    matrix.rows = linear.weight.count;
    matrix.columns = linear.weight.tensor->shape.rowLength();
    const std::uint64_t most =
        std::clamp<std::uint64_t>(viewBytes / matrix.layout->rowBytes(matrix.columns), 1, maxGroups * WB_ROWS_AT_ONCE);
    for (std::uint64_t first = 0; first < matrix.rows; first += most) {
        MatrixPart part;
        part.firstRow = static_cast<std::uint32_t>(first);
        part.rows = static_cast<std::uint32_t>(std::min(most, matrix.rows - first));
        if (linear.bias) part.biasAt = static_cast<std::uint32_t>(part.rows * matrix.layout->rowScales(matrix.columns));
        matrix.parts.push_back(part);
    }
    return matrix;
}

} // namespace

void DeviceWeights::plan(const infer::Graph& graph, std::size_t first, std::uint64_t viewBytes, DeviceMemory& memory) {
    using infer::MemoryUse;
    const infer::GraphWeights list = infer::listWeights(graph, first);
    for (const auto& [linear, used, of] : list.matrices) {
        DeviceMatrix& matrix = m_matrices[{linear.weight, linear.bias}];
        matrix = matrixShape(linear, viewBytes);
        const std::string& name = linear.weight.tensor->name;
        for (MatrixPart& part : matrix.parts) {
            const std::uint64_t words = part.rows * (matrix.layout->rowScales(matrix.columns) + (linear.bias ? 1 : 0));
            memory.add(part.weights, name, MemoryUse::Weights, {part.rows, matrix.layout->rowBytes(matrix.columns)});
            memory.add(part.scales, name + ", scales", MemoryUse::Weights, {words, 4});
        }
    }
    for (const infer::Slice& elements : list.vectors)
        memory.add(m_vectors[elements], elements.tensor->name, MemoryUse::Weights, {elements.count, sizeof(float)});
}

Result<void> DeviceWeights::load(const DevicePtr& device, const Model& model, unsigned threads, const Progress& progress) {
    Loader loader(device, model, threads, progress);
    for (const auto& [slices, matrix] : m_matrices) WB_TRY(loader.matrix(slices.first, slices.second, matrix));
    for (const auto& [elements, view] : m_vectors) WB_TRY(loader.vector(elements, view));
    return loader.finish();
}

const View* DeviceWeights::vector(const infer::Slice& elements) const { return elements ? &m_vectors.at(elements) : nullptr; }

std::uint64_t DeviceWeights::bytesPerToken() const {
    std::uint64_t bytes = 0;
    for (const auto& [slices, matrix] : m_matrices)
        bytes += matrix.rows * (matrix.layout->rowBytes(matrix.columns) + 4 * matrix.layout->rowScales(matrix.columns));
    return bytes;
}

} // namespace wb::gpu
