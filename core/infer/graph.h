// SPDX-License-Identifier: MIT
#pragma once

#include "core/arch/model_spec.h"
#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace wb::infer {

// What an engine computes for a token, in order: the unit that every engine implements and tests compare (DESIGN.md 5). Each stage
// names the vectors it works on: x is the residual stream.
enum class StageKind : std::uint8_t {
    NormQkv,       // q, k, v = W · norm(x)
    RopeAttention, // rotates q and k, stores k and v, attends
    OutResidual,   // x += W · attention
    NormGateUp,    // h = silu(W_gate · norm(x)) * (W_up · norm(x))
    DownResidual,  // x += W · h
    Head           // logits = W · norm(x)
};

struct Stage {
    StageKind kind;
    std::uint32_t layer; // 0 for Head
};

// The tensors of one layer; null where the model has none. All belong to Graph::model.
struct LayerTensors {
    const TensorInfo *attentionNorm = nullptr, *q = nullptr, *k = nullptr, *v = nullptr, *out = nullptr;
    const TensorInfo *qBias = nullptr, *kBias = nullptr, *vBias = nullptr, *outBias = nullptr;
    const TensorInfo *qNorm = nullptr, *kNorm = nullptr; // of each head
    const TensorInfo *feedForwardNorm = nullptr, *gate = nullptr, *up = nullptr, *down = nullptr;
};

// A model as an engine runs it: every tensor is there and has the shape that the hyperparameters ask for.
struct Graph {
    ModelPtr model;
    arch::ModelSpec spec;
    std::uint64_t vocabulary = 0; // rows of the embedding
    const TensorInfo *embedding = nullptr, *outputNorm = nullptr, *output = nullptr;
    const TensorInfo* ropeFactors = nullptr;
    std::vector<LayerTensors> layers;
    std::vector<Stage> stages;
};

// Unsupported: an architecture, or a part of one, that no engine runs; the sentence has its name and those that can be run.
// Malformed: a missing tensor or one of another shape; the sentence has its name.
Result<Graph> planGraph(ModelPtr model);

} // namespace wb::infer
