// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/graph/graph.h"
#include "gpu/infer/device_memory.h"
#include "gpu/infer/layout.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace wb::gpu {

// Rows of a matrix that one dispatch multiplies: as many as a binding and a grid can hold. Of matrices of experts several whole
// ones, or some rows of one.
struct MatrixPart {
    View weights; // [experts][rows]
    View scales;  // words of scales, then the biases
    std::uint32_t firstRow = 0, rows = 0;
    std::uint32_t firstExpert = 0, experts = 1;
    std::uint32_t biasAt = noBias; // word of `scales`

    static constexpr std::uint32_t noBias = 0xFFFF'FFFF;
};

// One matrix, or those of all experts.
struct DeviceMatrix {
    const WeightLayout* layout = nullptr;
    std::uint64_t rows = 0, columns = 0; // of one
    std::vector<MatrixPart> parts;
    std::uint64_t experts = 1;
};

// Matrices of experts, or of heads, in a file: those of expert e start e * stride rows after `rows`, which are expert 0's.
struct ExpertStack {
    infer::Slice rows;
    std::uint64_t stride = 0;
    infer::Slice bias; // [experts][rows]; empty: none
    std::uint64_t experts = 1, used = 1;
};

// Gates, ups and downs; without rows where the operation has none.
std::array<ExpertStack, 3> expertStacks(const infer::ExpertsOp& op);

// The matrices of heads, of which every token needs all.
ExpertStack headStack(const infer::LatentQkvOp& op);
ExpertStack headStack(const infer::HeadwiseOp& op);

// The weights of some layers and the head in the layout of the shaders, each in the bits of the file (layout.h).
class DeviceWeights {
public:
    // Of the layers from `first` on. Every matrix type has a layout (findWeightLayout). They must stay where they are until the
    // memory is allocated.
    void plan(const infer::Graph& graph, std::size_t first, std::uint64_t viewBytes, DeviceMemory& memory);

    // Reads them by `threads` threads and copies them to the device. Progress is in bytes of the file.
    Result<void> load(const DevicePtr& device, const Model& model, unsigned threads, const Progress& progress);

    // Of the graph's operations.
    const DeviceMatrix& matrix(const infer::Linear& linear) const { return m_matrices.at({linear.weight, linear.bias}); }

    // Both as one matrix with the numbers of the first, the second one directly after it; empty: they are apart.
    std::optional<DeviceMatrix> pair(const infer::Linear& first, const infer::Linear& second) const;

    const DeviceMatrix& experts(const ExpertStack& stack) const { return m_experts.at({stack.rows, stack.bias}).matrix; }
    const View* vector(const infer::Slice& elements) const; // null for an empty slice

    std::uint64_t bytesPerToken() const;

private:
    struct StackedExperts {
        ExpertStack stack;
        DeviceMatrix matrix;
    };

    void planPair(const infer::GateUpOp& op, std::uint64_t viewBytes, DeviceMemory& memory);
    void planStack(const ExpertStack& stack, std::uint64_t viewBytes, DeviceMemory& memory);

    // Each with its bias.
    std::map<std::pair<infer::Slice, infer::Slice>, DeviceMatrix> m_matrices;
    std::map<std::pair<infer::Slice, infer::Slice>, StackedExperts> m_experts;
    std::map<infer::Slice, View> m_vectors;
};

} // namespace wb::gpu
