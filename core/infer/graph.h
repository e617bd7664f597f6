// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace wb::infer {

// What an engine computes for a token, in order: the unit that every engine implements and tests compare. Each stage
// names the vectors it works on: x is the residual stream. A family is a choice of stages and of the tensors in them; where a layer
// lacks a norm or a bias, its stage goes without.
enum class StageKind : std::uint8_t {
    LayerInputs,   // what every layer will get of the tokens themselves, from the embeddings (Gemma 4)
    NormQkv,       // q, k, v = W · norm(x)
    RopeAttention, // norms and rotates q and k, stores k and v, attends
    OutResidual,   // x += norm(W · attention)
    NormGateUp,    // h = act(W_gate · norm(x)) * (W_up · norm(x)), or act(W_up · norm(x)); of the shared expert where there are
                   // experts
    Route,         // chooses experts for norm(x), and weighs them
    Experts,       // x += Σ weight * expert(norm(x)) over the chosen ones
    DownResidual,  // x += norm(W · h)
    AddLayerInput, // x += norm(W_out · (gelu(W_in · x) * input of the layer)), then x *= scale of the layer (Gemma 4)
    Head           // logits = W · norm(x)
};

struct Stage {
    StageKind kind;
    std::uint32_t layer; // 0 for LayerInputs and Head
};

// Rows of a matrix, or elements of a vector: families store several matrices as one tensor.
struct Slice {
    const TensorInfo* tensor = nullptr; // null: the model has none
    std::uint64_t first = 0, count = 0; // rows, or elements

    explicit operator bool() const { return tensor != nullptr; }
};

struct NormTensors {
    const TensorInfo *weight = nullptr, *bias = nullptr;
};

// Experts lie one after the other in each tensor: expert e has the rows [e * rows, (e + 1) * rows) of its slice's tensor.
struct ExpertTensors {
    const TensorInfo *router = nullptr, *routerBias = nullptr;
    const TensorInfo* selectionBias = nullptr; // added when experts are chosen, not when they are weighed
    Slice gate, up;                            // of expert 0; the stride is the whole of the tensor's rows of one expert
    const TensorInfo* down = nullptr;
    std::uint64_t stride = 0;                                                     // rows from one expert's gate to the next one's
    const TensorInfo *gateBias = nullptr, *upBias = nullptr, *downBias = nullptr; // [experts][rows]
    const TensorInfo* sharedGate = nullptr; // the shared expert's output is multiplied by sigmoid(sharedGate · norm(x))
};

// The tensors of one layer; empty where the model has none. All belong to Graph::model.
struct LayerTensors {
    NormTensors attentionNorm, attentionPostNorm, feedForwardNorm, feedForwardPostNorm;
    Slice q, k, v, qBias, kBias, vBias; // k and v are empty where the layer uses another one's cache
    const TensorInfo *out = nullptr, *outBias = nullptr;
    const TensorInfo *qNorm = nullptr, *kNorm = nullptr; // of each head, or of all together
    const TensorInfo* sinks = nullptr;                   // one logit a head
    Slice gate, up, gateBias, upBias;
    const TensorInfo *down = nullptr, *downBias = nullptr;
    ExpertTensors experts;
    const TensorInfo *inputGate = nullptr, *inputProjection = nullptr, *inputNorm = nullptr; // AddLayerInput
    const TensorInfo* outputScale = nullptr;                                                 // one number
};

// What LayerInputs reads; empty where the family has no such stage.
struct LayerInputTensors {
    const TensorInfo* embedding = nullptr; // [vocabulary][layers * perLayerInput]
    const TensorInfo *projection = nullptr, *norm = nullptr;
};

// A model as an engine runs it: every tensor is there and has the shape that the hyperparameters ask for.
struct Graph {
    ModelPtr model;
    arch::ModelSpec spec;
    std::uint64_t vocabulary = 0; // rows of the embedding
    const TensorInfo *embedding = nullptr, *positions = nullptr, *output = nullptr, *outputBias = nullptr;
    NormTensors outputNorm;
    const TensorInfo* ropeFactors = nullptr;                          // divisors of the angles …
    const TensorInfo *longFactors = nullptr, *shortFactors = nullptr; // … or those of LongRoPE
    LayerInputTensors layerInputs;
    std::vector<LayerTensors> layers;
    std::vector<Stage> stages;
};

// Unsupported: an architecture, or a part of one, that no engine runs; the sentence has its name and those that can be run.
// Malformed: a missing tensor or one of another shape; the sentence has its name.
Result<Graph> planGraph(ModelPtr model);

// The first layers alone, without the head and the norm before it: its engine gives no logits, and as the last of Batch::hidden
// what goes into the next layer.
Graph firstLayers(const Graph& graph, std::size_t count);

} // namespace wb::infer
