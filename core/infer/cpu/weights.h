// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/infer/cpu/panels.h"
#include "core/infer/graph.h"

#include <optional>
#include <vector>

namespace wb::infer::cpu {

struct Norm {
    std::vector<float> weight, bias; // no weight: no norm
};

// Routed experts: their matrices one by one, their biases one after the other.
struct ExpertWeights {
    PanelMatrix router;
    std::vector<float> routerBias, selectionBias, gateBias, upBias, downBias, sharedGate;
    std::vector<PanelMatrix> gate, up, down;
};

// The weights of one layer as the engine reads them; empty where the model has none.
struct LayerWeights {
    Norm attentionNorm, attentionPostNorm, feedForwardNorm, feedForwardPostNorm, inputNorm;
    std::vector<float> qBias, kBias, vBias, outBias, gateBias, upBias, downBias, qNorm, kNorm, sinks;
    PanelMatrix q, k, v, out, gate, up, down;
    ExpertWeights experts;
    PanelMatrix inputGate, inputProjection;
    float outputScale = 1;
};

struct Weights {
    std::vector<LayerWeights> layers;
    Norm outputNorm, layerInputNorm;
    std::vector<float> ropeFactors, longFactors, shortFactors, outputBias;
    PanelMatrix output, layerInputs;

    std::uint64_t bytes = 0;         // of all matrices and vectors
    std::uint64_t bytesPerToken = 0; // of those that one token needs: of the routed experts only the chosen ones
    double repackSeconds = 0;        // spent on interleaving rows, as if the threads had shared it evenly
};

// Reads and repacks every matrix of the graph. Progress is in bytes of the file.
Result<Weights> loadWeights(const Graph& graph, unsigned threads, const Progress& progress);

// The bytes that loadWeights would claim.
Result<std::uint64_t> plannedWeightBytes(const Graph& graph);

} // namespace wb::infer::cpu
