// SPDX-License-Identifier: MIT
#include "gpu/infer/device_weights.h"

#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"
#include "gpu/device/recorder.h"
#include "gpu/shaders/infer/batch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

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

class Loader {
public:
    Loader(DevicePtr device, const Model& model, unsigned threads, const Progress& progress)
        : m_model(model), m_threads(threads), m_progress(progress), m_staging(std::move(device)), m_total(model.tensorBytes()) {}

    Result<void> vector(const infer::Slice& elements, const View& to) {
        WB_TRY_ASSIGN(const std::vector<float> values, read(elements));
        return send(values, to);
    }

    // A matrix alone is a stack of one.
    Result<void> matrix(const ExpertStack& from, const DeviceMatrix& to) {
        WB_TRY(m_progress.at(m_done, m_total));
        std::vector<float> biases;
        if (from.bias) {
            WB_TRY_ASSIGN(biases, read(from.bias));
        }
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, *from.rows.tensor));
        for (const MatrixPart& part : to.parts) {
            const std::uint64_t rows = std::uint64_t{part.experts} * part.rows;
            if (from.bias)
                WB_TRY(send(std::span<const float>(biases).subspan(part.firstExpert * to.rows + part.firstRow, rows),
                            viewPart(part.scales, std::uint64_t{part.biasAt} * 4, rows * 4)));
            WB_TRY(fill(reader, from, to, part));
        }
        m_done = std::min(m_total, m_done + reader.byteCount(to.experts * to.rows * to.columns));
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

    // Adjacent experts are read together.
    Result<void> fill(const TensorReader& reader, const ExpertStack& from, const DeviceMatrix& matrix, const MatrixPart& part) {
        const std::uint64_t first = from.rows.first + part.firstExpert * from.stride + part.firstRow;
        if (part.experts == 1 || from.stride == part.rows)
            return fillRows(reader, first, matrix, part, 0, std::uint64_t{part.experts} * part.rows);
        for (std::uint64_t e = 0; e < part.experts; ++e)
            WB_TRY(fillRows(reader, first + e * from.stride, matrix, part, e * part.rows, part.rows));
        return {};
    }

    // `count` rows of the part from row `begin` on.
    Result<void> fillRows(const TensorReader& reader, std::uint64_t tensorRow, const DeviceMatrix& matrix, const MatrixPart& part,
                          std::uint64_t begin, std::uint64_t count) {
        const std::uint64_t rowBytes = matrix.layout->rowBytes(matrix.columns);
        const std::uint64_t scaleBytes = 4 * matrix.layout->rowScales(matrix.columns);
        const std::uint64_t step = std::max<std::uint64_t>(1, stagingBytes / (rowBytes + scaleBytes));
        for (std::uint64_t done = 0; done < count; done += step) {
            WB_TRY(m_progress.stop.stop_requested() ? Result<void>(std::unexpected(canceled())) : Result<void>());
            const std::uint64_t rows = std::min<std::uint64_t>(step, count - done), first = begin + done;
            WB_TRY_ASSIGN(const auto staging, m_staging.begin(rows * (rowBytes + scaleBytes)));
            WB_TRY(pack(reader, tensorRow + done, rows, matrix, staging));
            WB_TRY(m_staging.send({{0, viewPart(part.weights, first * rowBytes, rows * rowBytes)},
                                   {rows * rowBytes, viewPart(part.scales, first * scaleBytes, rows * scaleBytes)}}));
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

// Parts of a matrix, or of those of experts, without their memory.
DeviceMatrix matrixShape(const ExpertStack& stack, std::uint64_t viewBytes) {
    DeviceMatrix matrix;
    matrix.layout = findWeightLayout(stack.rows.tensor->dtype);
    matrix.rows = stack.rows.count;
    matrix.columns = stack.rows.tensor->shape.rowLength();
    matrix.experts = stack.experts;
    const std::uint64_t rowBytes = matrix.layout->rowBytes(matrix.columns);
    const std::uint64_t most = std::clamp<std::uint64_t>(viewBytes / rowBytes, 1, maxGroups * WB_ROWS_AT_ONCE);
    const std::uint64_t expertsAtOnce =
        std::clamp<std::uint64_t>(most / std::max<std::uint64_t>(matrix.rows, 1), 1, matrix.experts);
    for (std::uint64_t expert = 0; expert < matrix.experts; expert += expertsAtOnce)
        for (std::uint64_t first = 0; first < matrix.rows; first += most) {
            MatrixPart part;
            part.firstRow = static_cast<std::uint32_t>(first);
            part.rows = static_cast<std::uint32_t>(std::min(most, matrix.rows - first));
            part.firstExpert = static_cast<std::uint32_t>(expert);
            part.experts = static_cast<std::uint32_t>(std::min(expertsAtOnce, matrix.experts - expert));
            const std::uint64_t rows = std::uint64_t{part.experts} * part.rows;
            if (stack.bias) part.biasAt = static_cast<std::uint32_t>(rows * matrix.layout->rowScales(matrix.columns));
            matrix.parts.push_back(part);
        }
    return matrix;
}

ExpertStack stackOfOne(const infer::Slice& rows, const infer::Slice& bias) { return {rows, rows.count, bias}; }

// `matrix` stays where it is.
void planMatrix(const ExpertStack& stack, std::uint64_t viewBytes, DeviceMatrix& matrix, DeviceMemory& memory) {
    matrix = matrixShape(stack, viewBytes);
    const std::string& name = stack.rows.tensor->name;
    for (MatrixPart& part : matrix.parts) {
        const std::uint64_t rows = std::uint64_t{part.experts} * part.rows;
        const std::uint64_t words = rows * (matrix.layout->rowScales(matrix.columns) + (stack.bias ? 1 : 0));
        memory.add(part.weights, name, infer::MemoryUse::Weights, {rows, matrix.layout->rowBytes(matrix.columns)});
        memory.add(part.scales, name + ", scales", infer::MemoryUse::Weights, {words, 4});
    }
}

// The matrices of an operation that are stacked.
std::vector<ExpertStack> stacksIn(const infer::LayerOp& op) {
    std::vector<ExpertStack> stacks;
    if (const auto* const experts = std::get_if<infer::ExpertsOp>(&op))
        for (const ExpertStack& stack : expertStacks(*experts))
            if (stack.rows) stacks.push_back(stack);
    if (const auto* const latent = std::get_if<infer::LatentQkvOp>(&op)) stacks.push_back(headStack(*latent));
    if (const auto* const headwise = std::get_if<infer::HeadwiseOp>(&op)) stacks.push_back(headStack(*headwise));
    return stacks;
}

// The tensors of all stacks of some layers.
std::set<const TensorInfo*> stackedTensors(const infer::Graph& graph, std::size_t first) {
    std::set<const TensorInfo*> tensors;
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer])
            for (const ExpertStack& stack : stacksIn(op)) tensors.insert(stack.rows.tensor);
    return tensors;
}

bool hasLayerInputs(const infer::Graph& graph, std::size_t first) {
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer])
            if (std::holds_alternative<infer::LayerInputOp>(op)) return true;
    return false;
}

} // namespace

std::array<ExpertStack, 3> expertStacks(const infer::ExpertsOp& op) {
    return {{{op.gate, op.stride, op.gateBias, op.experts, op.used},
             {op.up, op.stride, op.upBias, op.experts, op.used},
             {op.down, op.down.count, op.downBias, op.experts, op.used}}};
}

ExpertStack headStack(const infer::LatentQkvOp& op) {
    return {infer::absorbSlice(op, 0), op.shape.valueLength, {}, op.shape.heads, op.shape.heads};
}

ExpertStack headStack(const infer::HeadwiseOp& op) { return {op.ofHead(0), op.rows(), {}, op.heads, op.heads}; }

// Gates and ups of one type, which are multiplied together (MultiplyStep::paired).
void DeviceWeights::planPair(const infer::GateUpOp& op, std::uint64_t viewBytes, DeviceMemory& memory) {
    if (!op.gate || op.gate.bias || op.up.bias || m_matrices.contains({op.gate.weight, {}})) return;
    DeviceMatrix gate = matrixShape(stackOfOne(op.gate.weight, {}), viewBytes),
                 up = matrixShape(stackOfOne(op.up.weight, {}), viewBytes);
    const std::uint64_t rowBytes = gate.layout->rowBytes(gate.columns), scaleBytes = 4 * gate.layout->rowScales(gate.columns);
    const auto isWhole = [&](std::uint64_t bytes) { return gate.rows * bytes % DeviceMemory::aligned == 0; };
    const bool isAlike = gate.layout == up.layout && gate.rows == up.rows && gate.columns == up.columns;
    if (!isAlike || 2 * gate.rows * rowBytes > viewBytes || !isWhole(rowBytes) || !isWhole(scaleBytes)) return;
    DeviceMatrix &first = m_matrices[{op.gate.weight, {}}] = std::move(gate),
                 &second = m_matrices[{op.up.weight, {}}] = std::move(up);
    const std::string name = op.gate.weight.tensor->name + ", " + op.up.weight.tensor->name;
    memory.addPair(first.parts[0].weights, second.parts[0].weights, name, infer::MemoryUse::Weights, first.rows, rowBytes);
    if (scaleBytes > 0) {
        memory.addPair(first.parts[0].scales, second.parts[0].scales, name + ", scales", infer::MemoryUse::Weights, first.rows,
                       scaleBytes);
        return;
    }
    for (DeviceMatrix* const matrix : {&first, &second})
        memory.add(matrix->parts[0].scales, name + ", scales", infer::MemoryUse::Weights, {0, 4});
}

std::optional<DeviceMatrix> DeviceWeights::pair(const infer::Linear& first, const infer::Linear& second) const {
    const DeviceMatrix &one = matrix(first), &other = matrix(second);
    const bool isAlike = one.layout == other.layout && one.rows == other.rows && one.columns == other.columns;
    if (!isAlike || first.bias || second.bias || one.parts.size() != 1 || other.parts.size() != 1) return std::nullopt;
    const auto join = [](View& view, const View& next) {
        const bool isNext = view.buffer == next.buffer && view.offset + view.bytes == next.offset;
        view.bytes += next.bytes;
        return isNext;
    };
    DeviceMatrix both = one;
    MatrixPart& part = both.parts.front();
    if (!join(part.weights, other.parts.front().weights)) return std::nullopt;
    if (one.layout->scaleWords > 0 && !join(part.scales, other.parts.front().scales)) return std::nullopt;
    return both;
}

void DeviceWeights::planStack(const ExpertStack& stack, std::uint64_t viewBytes, DeviceMemory& memory) {
    const auto [place, isNew] = m_experts.try_emplace({stack.rows, stack.bias}, StackedExperts{stack, {}});
    if (isNew) planMatrix(stack, viewBytes, place->second.matrix, memory);
}

void DeviceWeights::plan(const infer::Graph& graph, std::size_t first, std::uint64_t viewBytes, DeviceMemory& memory) {
    const infer::GraphWeights list = infer::listWeights(graph, first);
    const std::set<const TensorInfo*> stacked = stackedTensors(graph, first);
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer]) {
            const auto* const gateUp = std::get_if<infer::GateUpOp>(&op);
            if (gateUp && !stacked.contains(gateUp->up.weight.tensor)) planPair(*gateUp, viewBytes, memory);
        }
    for (const auto& [linear, used, of] : list.matrices)
        if (!stacked.contains(linear.weight.tensor) && !m_matrices.contains({linear.weight, linear.bias}))
            planMatrix(stackOfOne(linear.weight, linear.bias), viewBytes, m_matrices[{linear.weight, linear.bias}], memory);
    for (std::size_t layer = first; layer < graph.layers.size(); ++layer)
        for (const infer::LayerOp& op : graph.layers[layer])
            for (const ExpertStack& stack : stacksIn(op)) planStack(stack, viewBytes, memory);
    if (first > 0 && hasLayerInputs(graph, first)) {
        // Where layer 0 is on the CPU the list has none of this.
        const infer::LayerInputsOp& op = *graph.layerInputs;
        planMatrix(stackOfOne(op.projection, {}), viewBytes, m_matrices[{op.projection, {}}], memory);
        memory.add(m_vectors[op.norm.weight], op.norm.weight.tensor->name, infer::MemoryUse::Weights,
                   {op.norm.weight.count, sizeof(float)});
    }
    for (const infer::Slice& elements : list.vectors)
        memory.add(m_vectors[elements], elements.tensor->name, infer::MemoryUse::Weights, {elements.count, sizeof(float)});
}

Result<void> DeviceWeights::load(const DevicePtr& device, const Model& model, unsigned threads, const Progress& progress) {
    Loader loader(device, model, threads, progress);
    for (const auto& [slices, matrix] : m_matrices) WB_TRY(loader.matrix(stackOfOne(slices.first, slices.second), matrix));
    for (const auto& [slices, experts] : m_experts) WB_TRY(loader.matrix(experts.stack, experts.matrix));
    for (const auto& [elements, view] : m_vectors) WB_TRY(loader.vector(elements, view));
    return loader.finish();
}

const View* DeviceWeights::vector(const infer::Slice& elements) const { return elements ? &m_vectors.at(elements) : nullptr; }

std::uint64_t DeviceWeights::bytesPerToken() const {
    const auto bytesOf = [](const DeviceMatrix& matrix) {
        return matrix.rows * (matrix.layout->rowBytes(matrix.columns) + 4 * matrix.layout->rowScales(matrix.columns));
    };
    std::uint64_t bytes = 0;
    for (const auto& [slices, matrix] : m_matrices) bytes += bytesOf(matrix);
    for (const auto& [slices, experts] : m_experts) bytes += experts.stack.used * bytesOf(experts.matrix);
    return bytes;
}

} // namespace wb::gpu
