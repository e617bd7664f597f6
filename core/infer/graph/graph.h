// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/infer/graph/operations.h"

namespace wb::infer {

// A model as engines run it, in this order: embed, join, layerInputs, the operations of each layer, head. Every tensor is in the
// model and has the shape that its operation states.
struct Graph {
    ModelPtr model;
    std::uint64_t vocabulary = 0; // rows of the embedding
    std::uint64_t width = 0;      // of x
    std::uint64_t streams = 0;    // 0: x is the only residual stream
    std::uint64_t context = 0;    // tokens that the model was trained for
    EmbedOp embed;
    std::optional<JoinOp> join; // of a head alone: planPrediction()
    std::optional<LayerInputsOp> layerInputs;
    std::vector<std::vector<LayerOp>> layers;
    std::optional<HeadOp> head; // empty: the graph ends with x
    std::vector<RopeOp> ropes;
    std::vector<CacheShape> caches;
    std::vector<StateShape> states; // of recurrent operations, in the order of the layers
};

// Unsupported: an architecture, or a part of one, that no engine runs; the sentence names it and the architectures that run.
// Malformed: a missing tensor or one of another shape; the sentence names it.
Result<Graph> planGraph(ModelPtr model);

// The head of the same file that predicts the token after the next one (multi-token prediction, MTP), as a separate graph with
// the embedding, the output matrix, a cache and one layer: the first of the layers that predict ahead. Its position is that of the
// preceding token. Unsupported, with the reason infer.no_prediction, where the file has none.
Result<Graph> planPrediction(ModelPtr model);

// The first layers without the head: the engine of such a graph gives no logits, and as the last of Batch::hidden the input of the
// next layer.
Graph firstLayers(const Graph& graph, std::size_t count);

// The matrices of one expert, each a part of a tensor of all experts.
struct ExpertMatrices {
    Linear gate, up, down;
};
ExpertMatrices expertMatrices(const ExpertsOp& op, std::uint64_t expert);

// The matrix of one head of LatentQkvOp::absorb.
Slice absorbSlice(const LatentQkvOp& op, std::uint64_t head);

// A matrix of a graph with its bias.
struct GraphMatrix {
    Linear linear;
    std::uint64_t used = 1, of = 1; // a token needs `used` of so many such matrices: experts
};

// The weights that a graph multiplies and adds, in the order of its operations, each once. Tables of embeddings and divisors of
// rotations, which engines read row by row or once, are not among them.
struct GraphWeights {
    std::vector<GraphMatrix> matrices;
    std::vector<Slice> vectors; // norms, sinks, biases of experts, gates of one row
};

// Of the layers from `first` on and the head; join and layerInputs belong to layer 0.
GraphWeights listWeights(const Graph& graph, std::size_t first = 0);

} // namespace wb::infer
