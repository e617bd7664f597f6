// SPDX-License-Identifier: MIT
#include "core/infer/cpu/weights.h"

#include "core/jobs/thread_pool.h"
#include "core/model/tensor_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>

namespace wb::infer::cpu {
namespace {

constexpr std::uint64_t slabBytes = 1 << 18; // read at once by each thread: little enough to stay in its cache

// Reads a run of panels of one tensor and interleaves their rows.
class PanelReader {
    using Clock = std::chrono::steady_clock;

public:
    PanelReader(const TensorReader& reader, std::uint64_t firstRow, const PanelMatrix& matrix)
        : m_reader(reader), m_firstRow(firstRow), m_matrix(matrix), m_stored(info(matrix.format->dtype)) {
        m_decodes = reader.dtype() != m_stored.dtype;
        m_rowBytes = m_stored.blockBytes * matrix.blocks();
    }

    std::uint64_t panelsAtOnce() const { return std::max<std::uint64_t>(1, slabBytes / (m_rowBytes * panelRows)); }

    Result<void> read(std::uint64_t firstPanel, std::uint64_t panels) const {
        const std::uint64_t firstRow = firstPanel * panelRows;
        const std::uint64_t rows = std::min(panels * panelRows, m_matrix.rows - firstRow);
        const std::size_t bytes = panels * panelRows * m_rowBytes, read = rows * m_rowBytes;
        const auto stored = std::make_unique_for_overwrite<std::byte[]>(bytes);
        WB_TRY(readRows(firstRow, rows, {stored.get(), read}));
        std::memset(stored.get() + read, 0, bytes - read); // rows that the matrix lacks
        const auto begin = Clock::now();
        for (std::uint64_t p = 0; p < panels; ++p) pack(stored.get() + p * panelRows * m_rowBytes, firstPanel + p);
        m_spent += (Clock::now() - begin).count();
        return {};
    }

    // By all threads together.
    double packingSeconds() const { return std::chrono::duration<double>(Clock::duration(m_spent.load())).count(); }

private:
    Result<void> readRows(std::uint64_t firstRow, std::uint64_t rows, std::span<std::byte> out) const {
        const std::uint64_t first = (m_firstRow + firstRow) * m_matrix.columns, count = rows * m_matrix.columns;
        if (!m_decodes) return m_reader.readRaw(first, count, out);
        std::vector<std::byte> scratch;
        std::vector<float> values(count);
        WB_TRY(m_reader.readF32(first, values, scratch));
        std::ranges::copy(std::as_bytes(std::span(values)), out.begin());
        return {};
    }

    void pack(const std::byte* rows, std::uint64_t panel) const {
        std::byte* out = m_matrix.bytes.data() + panel * m_matrix.panelBytes();
        for (std::uint64_t at = 0; at < m_rowBytes; at += m_stored.blockBytes, out += m_matrix.format->blockBytes) {
            std::array<const std::byte*, panelRows> blocks;
            for (std::size_t r = 0; r < panelRows; ++r) blocks[r] = rows + r * m_rowBytes + at;
            m_matrix.format->pack(blocks, out);
        }
    }

    const TensorReader& m_reader;
    std::uint64_t m_firstRow; // of the matrix in the tensor
    const PanelMatrix& m_matrix;
    const DtypeInfo& m_stored; // whose blocks become those of the panels
    bool m_decodes = false;
    std::uint64_t m_rowBytes = 0;
    mutable std::atomic<Clock::rep> m_spent{0};
};

// Norms and biases start at a cache line.
constexpr std::size_t vectorStep = 16;

PanelMatrix panelShape(const Slice& rows) {
    PanelMatrix matrix;
    matrix.format = &dtypePanelFormat(rows.tensor->dtype);
    matrix.rows = rows.count;
    matrix.columns = rows.tensor->shape.rowLength();
    return matrix;
}

std::string sliceName(const Slice& rows) {
    if (rows.count == rows.tensor->shape.rows()) return rows.tensor->name;
    return fmt::format("{} [{}, {})", rows.tensor->name, rows.first, rows.first + rows.count);
}

} // namespace

void Weights::plan(const Graph& graph, CpuMemory& memory) {
    const GraphWeights list = listWeights(graph);
    for (const GraphMatrix& matrix : list.matrices) planMatrix(matrix);
    for (const Slice& elements : list.vectors) planVector(elements);
    for (StoredMatrix& matrix : m_matrices)
        memory.add(matrix.panels.bytes, sliceName(matrix.rows), MemoryUse::Weights,
                   {matrix.panels.panels(), matrix.panels.panelBytes()});
    memory.add(m_vectors, "norms and biases", MemoryUse::Weights, {m_vectorNumbers, sizeof(float)});
}

void Weights::planMatrix(const GraphMatrix& matrix) {
    const Slice& rows = matrix.linear.weight;
    if (m_matrixAt.try_emplace(rows, m_matrices.size()).second)
        m_matrices.push_back({rows, matrix.used, matrix.of, panelShape(rows)});
    if (matrix.linear.bias) planVector(matrix.linear.bias);
}

void Weights::planVector(const Slice& elements) {
    if (m_vectorAt.try_emplace(elements, m_vectorNumbers).second)
        m_vectorNumbers += (elements.count + vectorStep - 1) / vectorStep * vectorStep;
}

Result<void> Weights::load(const Model& model, unsigned threads, const Progress& progress) {
    const std::uint64_t total = model.tensorBytes();
    std::uint64_t done = 0;
    for (StoredMatrix& matrix : m_matrices) {
        WB_TRY(progress.at(std::min(done, total), total));
        WB_TRY(loadMatrix(model, matrix, threads, progress));
        done += rowBytes(matrix.rows.tensor->dtype, matrix.panels.columns).value_or(0) * matrix.panels.rows;
    }
    for (const auto& [elements, at] : m_vectorAt) WB_TRY(loadVector(model, elements, at));
    return {};
}

Result<void> Weights::loadMatrix(const Model& model, StoredMatrix& matrix, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, *matrix.rows.tensor));
    const PanelReader panels(reader, matrix.rows.first, matrix.panels);
    const std::uint64_t step = panels.panelsAtOnce(), count = matrix.panels.panels();
    WB_TRY(jobs::parallelFor((count + step - 1) / step, threads, progress.stop,
                             [&](std::uint64_t i) { return panels.read(i * step, std::min(step, count - i * step)); }));
    m_repackSeconds += panels.packingSeconds() / threads;
    return reader.checkUnchanged();
}

Result<void> Weights::loadVector(const Model& model, const Slice& elements, std::size_t at) const {
    WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(model, *elements.tensor));
    std::vector<std::byte> scratch;
    return reader.readF32(elements.first, {m_vectors.as<float>() + at, elements.count}, scratch);
}

const PanelMatrix* Weights::matrix(const Slice& rows) const { return rows ? &m_matrices[m_matrixAt.at(rows)].panels : nullptr; }

const float* Weights::vector(const Slice& elements) const {
    return elements ? m_vectors.as<float>() + m_vectorAt.at(elements) : nullptr;
}

std::uint64_t Weights::bytesPerToken() const {
    std::uint64_t bytes = 0;
    for (const StoredMatrix& matrix : m_matrices) bytes += matrix.panels.bytes.size() * matrix.used / matrix.of;
    return bytes;
}

} // namespace wb::infer::cpu
