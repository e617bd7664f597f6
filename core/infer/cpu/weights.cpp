// SPDX-License-Identifier: MIT
#include "core/infer/cpu/weights.h"

#include "core/base/checked.h"
#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <atomic>
#include <chrono>

namespace wb::infer::cpu {
namespace {

constexpr std::uint64_t slabBytes = 1 << 20; // read at once by each thread

// Reads a run of panels of one tensor and interleaves their rows.
class PanelReader {
    using Clock = std::chrono::steady_clock;

public:
    PanelReader(const TensorReader& reader, std::uint64_t firstRow, PanelMatrix& matrix)
        : m_reader(reader), m_firstRow(firstRow), m_matrix(matrix), m_packing(packingOf(reader.dtype())) {
        m_decodes = reader.dtype() != m_packing.stored;
        m_rowBytes = m_packing.bytes * (matrix.columns / m_packing.elements);
    }

    std::uint64_t panelsAtOnce() const { return std::max<std::uint64_t>(1, slabBytes / (m_rowBytes * panelRows)); }

    Result<void> read(std::uint64_t firstPanel, std::uint64_t panels) const {
        const std::uint64_t firstRow = firstPanel * panelRows;
        const std::uint64_t rows = std::min(panels * panelRows, m_matrix.rows - firstRow);
        std::vector<std::byte> stored(panels * panelRows * m_rowBytes); // rows that the matrix lacks stay zero
        WB_TRY(readRows(firstRow, rows, stored));
        const auto begin = Clock::now();
        for (std::uint64_t p = 0; p < panels; ++p) pack(stored.data() + p * panelRows * m_rowBytes, firstPanel + p);
        m_spent += (Clock::now() - begin).count();
        return {};
    }

    // By all threads together.
    double packingSeconds() const { return std::chrono::duration<double>(Clock::duration(m_spent.load())).count(); }

private:
    Result<void> readRows(std::uint64_t firstRow, std::uint64_t rows, std::span<std::byte> out) const {
        const std::uint64_t first = (m_firstRow + firstRow) * m_matrix.columns, count = rows * m_matrix.columns;
        if (!m_decodes) return m_reader.readRaw(first, count, out.first(rows * m_rowBytes));
        std::vector<std::byte> scratch;
        std::vector<float> values(count);
        WB_TRY(m_reader.readF32(first, values, scratch));
        std::ranges::copy(std::as_bytes(std::span(values)), out.begin());
        return {};
    }

    void pack(const std::byte* rows, std::uint64_t panel) const {
        std::byte* out = m_matrix.bytes.data() + panel * m_matrix.panelBytes();
        for (std::uint64_t at = 0; at < m_rowBytes; at += m_packing.bytes, out += m_packing.panelBytes) {
            std::array<const std::byte*, panelRows> blocks;
            for (std::size_t r = 0; r < panelRows; ++r) blocks[r] = rows + r * m_rowBytes + at;
            packBlocks(m_packing, blocks, out);
        }
    }

    const TensorReader& m_reader;
    std::uint64_t m_firstRow; // of the matrix in the tensor
    PanelMatrix& m_matrix;
    Packing m_packing;
    bool m_decodes = false;
    std::uint64_t m_rowBytes = 0;
    mutable std::atomic<Clock::rep> m_spent{0};
};

PanelMatrix shapeOf(const Slice& rows) {
    PanelMatrix matrix;
    matrix.format = &panelFormatOf(rows.tensor->dtype);
    matrix.rows = rows.count;
    matrix.columns = rows.tensor->shape.rowLength();
    return matrix;
}

Result<std::uint64_t> bytesOf(const PanelMatrix& matrix) {
    const auto bytes = checked::mul(matrix.panels(), matrix.panelBytes());
    if (!bytes) return std::unexpected(outOfMemory());
    return *bytes;
}

Result<PanelMatrix> allocate(const Slice& rows) {
    PanelMatrix matrix = shapeOf(rows);
    WB_TRY_ASSIGN(const std::uint64_t bytes, bytesOf(matrix));
    WB_TRY_ASSIGN(matrix.bytes, Buffer::make(bytes));
    return matrix;
}

Slice whole(const TensorInfo* tensor) { return {tensor, 0, tensor ? tensor->shape.rows() : 0}; }

// Loads what a graph names, one tensor after the other, and reports the bytes. A loader that only plans counts them.
class Loader {
public:
    Loader(const Graph& graph, unsigned threads, const Progress& progress, bool plans = false)
        : m_graph(graph), m_model(*graph.model), m_threads(threads), m_progress(progress), m_total(m_model.tensorBytes()),
          m_plans(plans) {}

    Result<Weights> load() {
        m_weights.layers.resize(m_graph.layers.size());
        for (std::size_t i = 0; i < m_graph.layers.size(); ++i) WB_TRY(layer(i, m_graph.layers[i], m_weights.layers[i]));
        WB_TRY(norm(m_graph.outputNorm, m_weights.outputNorm));
        WB_TRY(vector(m_graph.outputBias, m_weights.outputBias));
        WB_TRY(vector(m_graph.ropeFactors, m_weights.ropeFactors));
        WB_TRY(vector(m_graph.longFactors, m_weights.longFactors));
        WB_TRY(vector(m_graph.shortFactors, m_weights.shortFactors));
        WB_TRY(vector(m_graph.layerInputs.norm, m_weights.layerInputNorm.weight));
        WB_TRY(matrix(whole(m_graph.layerInputs.projection), m_weights.layerInputs));
        WB_TRY(matrix(whole(m_graph.output), m_weights.output));
        return std::move(m_weights);
    }

private:
    Result<void> matrix(const Slice& rows, PanelMatrix& into) {
        if (!rows) return {};
        if (m_plans) return count(rows);
        WB_TRY(m_progress.at(m_done, m_total));
        WB_TRY(fill(rows, into));
        const std::uint64_t rowElements = rows.tensor->shape.rowLength();
        m_done = std::min(m_total, m_done + rowBytes(rows.tensor->dtype, rowElements).value_or(0) * rows.count);
        m_weights.bytes += into.bytes.claim();
        m_weights.bytesPerToken += into.bytes.size();
        return {};
    }

    Result<void> count(const Slice& rows) {
        WB_TRY_ASSIGN(const std::uint64_t bytes, bytesOf(shapeOf(rows)));
        m_weights.bytes = checked::add(m_weights.bytes, Buffer::claimFor(bytes)).value_or(~std::uint64_t{0});
        return {};
    }

    Result<void> fill(const Slice& rows, PanelMatrix& into) {
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, *rows.tensor));
        WB_TRY_ASSIGN(into, allocate(rows));
        const PanelReader panels(reader, rows.first, into);
        const std::uint64_t step = panels.panelsAtOnce(), count = into.panels();
        WB_TRY(jobs::parallelFor((count + step - 1) / step, m_threads, m_progress.stop,
                                 [&](std::uint64_t i) { return panels.read(i * step, std::min(step, count - i * step)); }));
        m_weights.repackSeconds += panels.packingSeconds() / m_threads;
        return reader.checkUnchanged();
    }

    Result<void> vector(const Slice& elements, std::vector<float>& into) {
        if (!elements) return {};
        m_weights.bytes += elements.count * sizeof(float);
        if (m_plans) return {};
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, *elements.tensor));
        into.resize(elements.count);
        std::vector<std::byte> scratch;
        return reader.readF32(elements.first, into, scratch);
    }

    Result<void> vector(const TensorInfo* tensor, std::vector<float>& into) {
        return vector(Slice{tensor, 0, tensor ? tensor->shape.elements() : 0}, into);
    }

    Result<void> norm(const NormTensors& tensors, Norm& into) {
        WB_TRY(vector(tensors.weight, into.weight));
        return vector(tensors.bias, into.bias);
    }

    Result<void> layer(std::size_t index, const LayerTensors& tensors, LayerWeights& into) {
        WB_TRY(norms(tensors, into));
        WB_TRY(attention(tensors, into));
        WB_TRY(feedForward(tensors, into));
        WB_TRY(experts(tensors.experts, into.experts, m_graph.spec.layers[index].expertsUsed));
        WB_TRY(matrix(whole(tensors.inputGate), into.inputGate));
        WB_TRY(matrix(whole(tensors.inputProjection), into.inputProjection));
        std::vector<float> scale{1};
        WB_TRY(vector(tensors.outputScale, scale));
        into.outputScale = scale[0];
        return {};
    }

    Result<void> norms(const LayerTensors& tensors, LayerWeights& into) {
        WB_TRY(norm(tensors.attentionNorm, into.attentionNorm));
        WB_TRY(norm(tensors.attentionPostNorm, into.attentionPostNorm));
        WB_TRY(norm(tensors.feedForwardNorm, into.feedForwardNorm));
        WB_TRY(norm(tensors.feedForwardPostNorm, into.feedForwardPostNorm));
        WB_TRY(vector(tensors.inputNorm, into.inputNorm.weight));
        WB_TRY(vector(tensors.qNorm, into.qNorm));
        return vector(tensors.kNorm, into.kNorm);
    }

    Result<void> attention(const LayerTensors& tensors, LayerWeights& into) {
        WB_TRY(vector(tensors.qBias, into.qBias));
        WB_TRY(vector(tensors.kBias, into.kBias));
        WB_TRY(vector(tensors.vBias, into.vBias));
        WB_TRY(vector(tensors.outBias, into.outBias));
        WB_TRY(vector(tensors.sinks, into.sinks));
        WB_TRY(matrix(tensors.q, into.q));
        WB_TRY(matrix(tensors.k, into.k));
        WB_TRY(matrix(tensors.v, into.v));
        return matrix(whole(tensors.out), into.out);
    }

    Result<void> feedForward(const LayerTensors& tensors, LayerWeights& into) {
        WB_TRY(vector(tensors.gateBias, into.gateBias));
        WB_TRY(vector(tensors.upBias, into.upBias));
        WB_TRY(vector(tensors.downBias, into.downBias));
        WB_TRY(matrix(tensors.gate, into.gate));
        WB_TRY(matrix(tensors.up, into.up));
        return matrix(whole(tensors.down), into.down);
    }

    Result<void> experts(const ExpertTensors& tensors, ExpertWeights& into, std::uint64_t used) {
        if (!tensors.router) return {};
        WB_TRY(matrix(whole(tensors.router), into.router));
        WB_TRY(vector(tensors.routerBias, into.routerBias));
        WB_TRY(vector(tensors.selectionBias, into.selectionBias));
        WB_TRY(vector(tensors.gateBias, into.gateBias));
        WB_TRY(vector(tensors.upBias, into.upBias));
        WB_TRY(vector(tensors.downBias, into.downBias));
        WB_TRY(vector(tensors.sharedGate, into.sharedGate));
        const std::uint64_t count = m_graph.spec.experts.count, width = m_graph.spec.width;
        const std::uint64_t before = m_weights.bytesPerToken;
        WB_TRY(expertMatrices(tensors.gate, tensors.stride, count, into.gate));
        WB_TRY(expertMatrices(tensors.up, tensors.stride, count, into.up));
        WB_TRY(expertMatrices({tensors.down, 0, width}, width, count, into.down));
        m_weights.bytesPerToken = before + (m_weights.bytesPerToken - before) / count * used;
        return {};
    }

    Result<void> expertMatrices(Slice rows, std::uint64_t stride, std::uint64_t count, std::vector<PanelMatrix>& into) {
        into.resize(count);
        for (PanelMatrix& expert : into) {
            WB_TRY(matrix(rows, expert));
            rows.first += stride;
        }
        return {};
    }

    const Graph& m_graph;
    const Model& m_model;
    unsigned m_threads;
    const Progress& m_progress;
    std::uint64_t m_total;
    bool m_plans = false;
    std::uint64_t m_done = 0;
    Weights m_weights;
};

} // namespace

Result<Weights> loadWeights(const Graph& graph, unsigned threads, const Progress& progress) {
    return Loader(graph, threads, progress).load();
}

Result<std::uint64_t> plannedWeightBytes(const Graph& graph) {
    const Progress none;
    WB_TRY_ASSIGN(const Weights weights, Loader(graph, 1, none, true).load());
    return weights.bytes;
}

} // namespace wb::infer::cpu
