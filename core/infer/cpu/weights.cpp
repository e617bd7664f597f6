// SPDX-License-Identifier: MIT
#include "core/infer/cpu/weights.h"

#include "core/base/checked.h"
#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"

#include <algorithm>

namespace wb::infer::cpu {
namespace {

constexpr std::uint64_t slabBytes = 1 << 20; // read at once by each thread

// Reads a run of panels of one tensor and interleaves their rows.
class PanelReader {
public:
    PanelReader(const TensorReader& reader, PanelMatrix& matrix) : m_reader(reader), m_matrix(matrix) {
        const PanelFormat& format = *matrix.format;
        m_decodes = reader.dtype() != format.dtype;
        m_rowBytes = m_decodes ? matrix.columns * sizeof(float) : *rowBytes(format.dtype, matrix.columns);
        m_blockBytes = format.blockBytes == 64 ? 4 : m_rowBytes / matrix.blocks();
    }

    std::uint64_t panelsAtOnce() const { return std::max<std::uint64_t>(1, slabBytes / (m_rowBytes * panelRows)); }

    Result<void> read(std::uint64_t firstPanel, std::uint64_t panels) const {
        const std::uint64_t firstRow = firstPanel * panelRows;
        const std::uint64_t rows = std::min(panels * panelRows, m_matrix.rows - firstRow);
        std::vector<std::byte> stored(panels * panelRows * m_rowBytes); // rows that the matrix lacks stay zero
        WB_TRY(readRows(firstRow, rows, stored));
        for (std::uint64_t p = 0; p < panels; ++p) pack(stored.data() + p * panelRows * m_rowBytes, firstPanel + p);
        return {};
    }

private:
    Result<void> readRows(std::uint64_t firstRow, std::uint64_t rows, std::span<std::byte> out) const {
        const std::uint64_t first = firstRow * m_matrix.columns, count = rows * m_matrix.columns;
        if (!m_decodes) return m_reader.readRaw(first, count, out.first(rows * m_rowBytes));
        std::vector<std::byte> scratch;
        std::vector<float> values(count);
        WB_TRY(m_reader.readF32(first, values, scratch));
        std::ranges::copy(std::as_bytes(std::span(values)), out.begin());
        return {};
    }

    void pack(const std::byte* rows, std::uint64_t panel) const {
        std::byte* out = m_matrix.bytes.data() + panel * m_matrix.panelBytes();
        for (std::uint64_t b = 0; b < m_matrix.blocks(); ++b, out += m_matrix.format->blockBytes) {
            std::array<const std::byte*, panelRows> blocks;
            for (std::size_t r = 0; r < panelRows; ++r) blocks[r] = rows + r * m_rowBytes + b * m_blockBytes;
            m_matrix.format->pack(blocks, out);
        }
    }

    const TensorReader& m_reader;
    PanelMatrix& m_matrix;
    bool m_decodes = false;
    std::uint64_t m_rowBytes = 0;
    std::uint64_t m_blockBytes = 0; // of one row
};

Result<PanelMatrix> allocate(const TensorInfo& tensor) {
    PanelMatrix matrix;
    matrix.format = &panelFormatOf(tensor.dtype);
    matrix.rows = tensor.shape.rows();
    matrix.columns = tensor.shape.rowLength();
    const auto bytes = checked::mul(matrix.panels(), matrix.panelBytes());
    if (!bytes) return std::unexpected(outOfMemory());
    WB_TRY_ASSIGN(matrix.bytes, Buffer::make(*bytes));
    return matrix;
}

// Loads what a graph names, one tensor after the other, and reports the bytes.
class Loader {
public:
    Loader(const Graph& graph, unsigned threads, const Progress& progress)
        : m_model(*graph.model), m_threads(threads), m_progress(progress), m_total(m_model.tensorBytes()) {}

    Result<void> matrix(const TensorInfo* tensor, PanelMatrix& into) {
        WB_TRY(m_progress.at(m_done, m_total));
        WB_TRY_ASSIGN(into, loadMatrix(m_model, *tensor, m_threads, m_progress.stop));
        m_done += tensor->bytes();
        return {};
    }

    Result<void> vector(const TensorInfo* tensor, std::vector<float>& into) const {
        if (!tensor) return {};
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_model, *tensor));
        into.resize(reader.elements());
        std::vector<std::byte> scratch;
        return reader.readF32(0, into, scratch);
    }

    Result<void> layer(const LayerTensors& tensors, LayerWeights& into) {
        WB_TRY(vectors(tensors, into));
        WB_TRY(matrix(tensors.q, into.q));
        WB_TRY(matrix(tensors.k, into.k));
        WB_TRY(matrix(tensors.v, into.v));
        WB_TRY(matrix(tensors.out, into.out));
        WB_TRY(matrix(tensors.gate, into.gate));
        WB_TRY(matrix(tensors.up, into.up));
        return matrix(tensors.down, into.down);
    }

private:
    Result<void> vectors(const LayerTensors& tensors, LayerWeights& into) const {
        WB_TRY(vector(tensors.attentionNorm, into.attentionNorm));
        WB_TRY(vector(tensors.qBias, into.qBias));
        WB_TRY(vector(tensors.kBias, into.kBias));
        WB_TRY(vector(tensors.vBias, into.vBias));
        WB_TRY(vector(tensors.outBias, into.outBias));
        WB_TRY(vector(tensors.qNorm, into.qNorm));
        WB_TRY(vector(tensors.kNorm, into.kNorm));
        return vector(tensors.feedForwardNorm, into.feedForwardNorm);
    }

    const Model& m_model;
    unsigned m_threads;
    const Progress& m_progress;
    std::uint64_t m_total;
    std::uint64_t m_done = 0;
};

std::uint64_t bytesOf(const LayerWeights& l) {
    std::uint64_t sum = 0;
    for (const PanelMatrix* m : {&l.q, &l.k, &l.v, &l.out, &l.gate, &l.up, &l.down}) sum += m->bytes.size();
    return sum;
}

} // namespace

std::uint64_t Weights::bytes() const {
    std::uint64_t sum = output.bytes.size();
    for (const LayerWeights& layer : layers) sum += bytesOf(layer);
    return sum;
}

Result<PanelMatrix> loadMatrix(const Model& model, const TensorInfo& tensor, unsigned threads, const std::stop_token& stop) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, tensor));
    WB_TRY_ASSIGN(PanelMatrix matrix, allocate(tensor));
    const PanelReader panels(reader, matrix);
    const std::uint64_t step = panels.panelsAtOnce(), count = matrix.panels();
    WB_TRY(jobs::parallelFor((count + step - 1) / step, threads, stop,
                             [&](std::uint64_t i) { return panels.read(i * step, std::min(step, count - i * step)); }));
    WB_TRY(reader.checkUnchanged());
    return matrix;
}

Result<Weights> loadWeights(const Graph& graph, unsigned threads, const Progress& progress) {
    Loader loader(graph, threads, progress);
    Weights weights;
    weights.layers.resize(graph.layers.size());
    for (std::size_t i = 0; i < graph.layers.size(); ++i) WB_TRY(loader.layer(graph.layers[i], weights.layers[i]));
    WB_TRY(loader.vector(graph.outputNorm, weights.outputNorm));
    WB_TRY(loader.vector(graph.ropeFactors, weights.ropeFactors));
    WB_TRY(loader.matrix(graph.output, weights.output));
    return weights;
}

} // namespace wb::infer::cpu
