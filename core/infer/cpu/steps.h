// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/weights.h"
#include "core/infer/graph/graph.h"

#include <variant>
#include <vector>

// The operations of a graph with their weights in memory: the program that the engine runs for each batch.
namespace wb::infer::cpu {

struct Norm {
    NormKind kind = NormKind::None;
    float epsilon = 0;
    std::size_t count = 0;                          // numbers of a row
    const float *weight = nullptr, *bias = nullptr; // [count]; no bias: null

    explicit operator bool() const { return kind != NormKind::None; }
};

// W x + b.
struct Matrix {
    const PanelMatrix* panels = nullptr; // [rows][columns]; null: the layer has none
    const float* bias = nullptr;         // [rows]; null: none

    explicit operator bool() const { return panels != nullptr; }
    std::size_t panelCount() const { return panels ? panels->panels() : 0; }
};

struct JoinStep {
    JoinOp op;
    Norm tokenNorm, precedingNorm;
    Matrix matrix; // [width][2 * width]
};

struct LayerInputsStep {
    LayerInputsOp op;
    Matrix projection; // [layers * each][width]
    Norm norm;         // [each]
};

struct QkvStep {
    QkvOp op;
    Norm norm;
    Matrix q, k, v; // [heads * length][width]
    Norm qNorm, kNorm, vNorm;
};

struct AttendStep {
    AttendOp op;
    const float* sinks = nullptr; // [heads]; null: none
};

struct LatentQkvStep {
    LatentQkvOp op;
    Norm norm, compressNorm, keyNorm;
    Matrix compress, q, k;
    std::vector<Matrix> absorb; // of each head
};

struct HeadwiseStep {
    HeadwiseOp op;
    std::vector<Matrix> matrices; // of each head
};

struct ProjectStep {
    ProjectOp op;
    Norm norm;
    std::array<Matrix, ProjectOp::maxMatrices> matrices; // [rows][width]
};

struct ConvStep {
    ConvOp op;
    const float* kernel = nullptr; // [channels][width]
    const float* bias = nullptr;   // [channels]; null: none
};

struct DeltaNetStep {
    DeltaNetOp op;
    const float *decay = nullptr, *stepBias = nullptr; // [valueHeads], stepBias perhaps [valueHeads][keyLength]
};

struct StateSpaceStep {
    StateSpaceOp op;
    const float *decay = nullptr, *stepBias = nullptr, *skip = nullptr; // [heads]
};

struct GateStep {
    GateOp op;
    Norm norm; // [length], or the first of [heads][length]
};

struct ResidualStep {
    ResidualOp op;
    Matrix matrix; // [width][columns of the input]
    Norm norm;
};

struct GateUpStep {
    GateUpOp op;
    Norm norm;
    Matrix gate, up; // [inner][width]
};

struct RouteStep {
    RouteOp op;
    Norm norm;
    Matrix router;                        // [experts][width]
    const float* selectionBias = nullptr; // [experts]; null: none
    const float* sharedGate = nullptr;    // [width]; null: none
    const float* expertScale = nullptr;   // [experts]; null: ones
};

struct ExpertsStep {
    ExpertsOp op;
    Norm norm, outNorm;
    std::vector<Matrix> gate, up, down; // of each expert: [inner][width], [inner][width], [width][inner]
};

struct LayerInputStep {
    LayerInputOp op;
    Matrix gate; // [each][width]
};

struct ScaleStep {
    float factor = 1;
};

struct AddSumStep {
    AddSumOp op;
    Norm norm;
};

struct IndexStep {
    IndexOp op;
    Norm norm, queryNorm;
    Matrix q, k, weights;
    Norm qNorm, kNorm; // [length]
};

struct MixStreamsStep {
    MixStreamsOp op;
    Norm norm; // [streams * width]
    Matrix down, up, inject;
};

struct InjectStep {
    InjectOp op;
};

struct NgramStep {
    NgramOp op;
    Norm keyNorm, queryNorm, outNorm; // [streams * width]
    Matrix key, value;
};

struct AddNgramsStep {
    AddNgramsOp op;
};

struct HeadStep {
    HeadOp op;
    std::optional<MixStreamsStep> mix;
    Norm norm;
    Matrix output; // [vocabulary][width]
};

using Step = std::variant<QkvStep, AttendStep, LatentQkvStep, HeadwiseStep, ProjectStep, ConvStep, DeltaNetStep, StateSpaceStep,
                          GateStep, ResidualStep, GateUpStep, RouteStep, ExpertsStep, LayerInputStep, ScaleStep, AddSumStep,
                          IndexStep, MixStreamsStep, InjectStep, NgramStep, AddNgramsStep>;

struct Program {
    std::optional<JoinStep> join;
    std::optional<LayerInputsStep> layerInputs;
    std::vector<std::vector<Step>> layers;
    std::optional<HeadStep> head;
};

// The weights must be loaded and outlive the program. `ones` are the weights of norms without any, as many as the longest head.
Program makeProgram(const Graph& graph, const Weights& weights, const float* ones);

} // namespace wb::infer::cpu
