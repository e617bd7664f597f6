// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/cpu/panels.h"
#include "core/infer/graph.h"

#include <optional>
#include <vector>

namespace wb::infer::cpu {

// The weights of one layer as the engine reads them; empty where the model has none.
struct LayerWeights {
    std::vector<float> attentionNorm, qBias, kBias, vBias, outBias, qNorm, kNorm, feedForwardNorm;
    PanelMatrix q, k, v, out, gate, up, down;
};

struct Weights {
    std::vector<LayerWeights> layers;
    std::vector<float> outputNorm, ropeFactors;
    PanelMatrix output;

    std::uint64_t bytes() const; // of all matrices
};

// Reads and repacks every matrix of the graph. Progress is in bytes of the file.
Result<Weights> loadWeights(const Graph& graph, unsigned threads, const Progress& progress);

// Reads one matrix into panels.
Result<PanelMatrix> loadMatrix(const Model& model, const TensorInfo& tensor, unsigned threads, const std::stop_token& stop);

} // namespace wb::infer::cpu
