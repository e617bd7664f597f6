// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/cpu/memory.h"
#include "core/infer/cpu/kernels/panels.h"
#include "core/infer/graph/graph.h"

#include <map>
#include <vector>

namespace wb::infer::cpu {

// All weights of a graph in the layout of the kernels: matrices in panels (panels.h), vectors as f32.
class Weights {
public:
    // Adds what they need to the memory. They must stay where they are until it is allocated.
    void plan(const Graph& graph, CpuMemory& memory);

    // Reads them from the model into the allocated memory. Progress is in bytes of the file.
    Result<void> load(const Model& model, unsigned threads, const Progress& progress);

    // Of the graph's slices, null for an empty one.
    const PanelMatrix* matrix(const Slice& rows) const;
    const float* vector(const Slice& elements) const;

    // Pointers that matrix() and vector() returned stay valid; neither may be called afterwards.
    void dropIndex() {
        m_matrixAt.clear();
        m_vectorAt.clear();
    }

    std::uint64_t bytesPerToken() const; // of matrices that one token needs: of the routed experts only the chosen ones
    double repackSeconds() const { return m_repackSeconds; } // spent on interleaving rows, as if the threads had shared it evenly

private:
    struct StoredMatrix {
        Slice rows;
        std::uint64_t used, of; // as in GraphMatrix
        PanelMatrix panels;
    };

    void planMatrix(const GraphMatrix& matrix);
    void planVector(const Slice& elements);
    Result<void> loadMatrix(const Model& model, StoredMatrix& matrix, unsigned threads, const Progress& progress);
    Result<void> loadVector(const Model& model, const Slice& elements, std::size_t at) const;

    std::vector<StoredMatrix> m_matrices;
    std::map<Slice, std::size_t> m_matrixAt; // index into m_matrices
    std::map<Slice, std::size_t> m_vectorAt; // number in m_vectors
    std::size_t m_vectorNumbers = 0;
    Buffer m_vectors;
    double m_repackSeconds = 0;
};

} // namespace wb::infer::cpu
