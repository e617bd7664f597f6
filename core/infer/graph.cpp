// SPDX-License-Identifier: MIT
#include "core/infer/graph.h"

#include "core/arch/family.h"
#include "core/infer/tensor_finder.h"
#include "core/io/byte_source.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace wb::infer {
namespace {

std::string nameOf(const Model& model) { return io::baseName(model.path); }

std::vector<std::string_view> runnableArchitectures() {
    std::vector<std::string_view> names;
    for (const arch::Family& family : arch::families())
        if (family.runs != arch::Runs::Nowhere) names.push_back(family.architecture);
    std::ranges::sort(names);
    return names;
}

// A part of the experts that no engine has yet; null: none.
const char* missingExpertPart(const arch::ModelSpec& spec) {
    if (!spec.hasExperts()) return nullptr;
    if (spec.experts.gating == arch::Gating::SqrtSoftplus) return WB_TEXT("a router of an unknown kind");
    if (spec.experts.groups > 1) return WB_TEXT("experts in groups");
    if (spec.experts.latentWidth > 0) return WB_TEXT("experts of another width than the model");
    if (spec.routerSoftcap > 0) return WB_TEXT("a router with a soft cap");
    if (spec.normPlacement != arch::NormPlacement::Before) return WB_TEXT("experts behind a norm of their own");
    if (!spec.gatedFeedForward) return WB_TEXT("experts without a gate");
    if (spec.family && spec.family->denseBesideExperts) return WB_TEXT("experts beside a dense part");
    return nullptr;
}

// A part of a model that no engine has yet; null: none.
const char* missingPart(const arch::ModelSpec& spec) {
    const bool recurs = std::ranges::any_of(spec.layers, [](const auto& l) { return l.recurrence != arch::Recurrence::None; });
    if (recurs) return "recurrent layers";
    if (spec.latent.keyValueRank > 0) return "latent attention";
    if (spec.attentionClamp > 0) return "clamped attention";
    if (spec.maxAlibiBias > 0) return "ALiBi";
    if (!spec.causal) return WB_TEXT("attention to later tokens");
    if (spec.passes > 1) return WB_TEXT("layers that are passed several times");
    if (spec.temperatureScale > 0 && spec.rope.originalContext == 0)
        return WB_TEXT("attention temperature without an original context");
    if (std::ranges::any_of(spec.layers, [](const auto& l) {
            return l.heads == 0 || l.kvHeads == 0 || (l.feedForward == 0 && l.expertsUsed == 0);
        }))
        return "layers without attention or without a feed-forward part";
    return missingExpertPart(spec);
}

Result<void> checkRunnable(const Model& model, const arch::ModelSpec& spec) {
    if (!spec.family || spec.family->runs == arch::Runs::Nowhere)
        return fail(ErrorCode::Unsupported, Reason("infer.architecture"), About{nameOf(model)},
                    WB_TEXT("{} has the architecture {}, which this program cannot run; it runs {}."), nameOf(model),
                    spec.architecture, fmt::join(runnableArchitectures(), ", "));
    if (const char* const part = missingPart(spec))
        return fail(ErrorCode::Unsupported, Reason("infer.part"), About{nameOf(model)},
                    WB_TEXT("{} has {}, which this program cannot run yet."), nameOf(model), part);
    return {};
}

// One rotation table serves all layers that rotate without a window; so one list of divisors must fit them.
Result<void> findRopeFactors(const TensorFinder& tensors, Graph& graph) {
    const auto& layers = graph.spec.layers;
    const auto rotates = [](const auto& layer) { return layer.ropeDimensions > 0 && layer.window == 0; };
    const auto rotated = std::ranges::find_if(layers, rotates);
    if (rotated == layers.end()) return {};
    const std::uint64_t pairs = rotated->ropeDimensions / 2;
    WB_TRY_ASSIGN(graph.ropeFactors, tensors.find("rope_freqs.weight", {pairs}));
    if (graph.spec.rope.scaling != arch::RopeScaling::LongRope) return {};
    WB_TRY_ASSIGN(graph.longFactors, tensors.need("rope_factors_long.weight", {pairs}));
    WB_TRY_ASSIGN(graph.shortFactors, tensors.need("rope_factors_short.weight", {pairs}));
    return {};
}

Result<void> findLayerInputs(const TensorFinder& tensors, Graph& graph) {
    const std::uint64_t each = graph.spec.perLayerInput;
    if (each == 0) return {};
    const std::uint64_t all = each * graph.spec.trunkLayers();
    LayerInputTensors& inputs = graph.layerInputs;
    WB_TRY_ASSIGN(inputs.embedding, tensors.need("per_layer_token_embd.weight", {graph.vocabulary, all}));
    WB_TRY_ASSIGN(inputs.projection, tensors.need("per_layer_model_proj.weight", {all, graph.spec.width}));
    WB_TRY_ASSIGN(inputs.norm, tensors.need("per_layer_proj_norm.weight", {each}));
    return {};
}

// Where both halves of a layer read the same x, the second one's first stage comes before the first one's last.
std::vector<StageKind> stagesOf(const LayerTensors& layer, const arch::ModelSpec& spec) {
    using enum StageKind;
    std::vector<StageKind> kinds = {NormQkv};
    const bool dense = layer.down != nullptr;
    if (dense && spec.parallelResidual) kinds.push_back(NormGateUp);
    kinds.insert(kinds.end(), {RopeAttention, OutResidual});
    if (dense && !spec.parallelResidual) kinds.push_back(NormGateUp);
    if (layer.experts.router) kinds.insert(kinds.end(), {Route, Experts});
    if (dense) kinds.push_back(DownResidual);
    if (layer.inputGate || layer.outputScale) kinds.push_back(AddLayerInput);
    return kinds;
}

std::vector<Stage> listStages(const Graph& graph) {
    std::vector<Stage> stages;
    if (graph.layerInputs.embedding) stages.push_back({StageKind::LayerInputs, 0});
    for (std::uint32_t layer = 0; layer < graph.layers.size(); ++layer)
        for (const StageKind kind : stagesOf(graph.layers[layer], graph.spec)) stages.push_back({kind, layer});
    stages.push_back({StageKind::Head, 0});
    return stages;
}

// Dividing by what is not there must not happen deep in an engine.
Result<void> checkNumbers(const Model& model, const arch::ModelSpec& spec) {
    const char* key = nullptr;
    if (spec.layers.empty()) key = "block_count";
    if (spec.width == 0) key = "embedding_length";
    if (spec.context == 0) key = "context_length";
    for (const arch::LayerSpec& layer : spec.layers) {
        if (layer.kvHeads > 0 && layer.heads % layer.kvHeads != 0) key = "attention.head_count_kv";
        if (layer.ropeDimensions % 2 != 0 || layer.ropeDimensions > layer.keyLength) key = "rope.dimension_count";
        if (layer.expertsUsed > spec.experts.count) key = "expert_used_count";
        if (layer.expertsUsed > 0 && layer.expertWidth == 0) key = "expert_feed_forward_length";
        const arch::LayerSpec& source = spec.layers[layer.cacheLayer];
        if (source.kvHeads != layer.kvHeads || source.keyLength != layer.keyLength || source.valueLength != layer.valueLength)
            key = "attention.shared_kv_layers";
    }
    if (key)
        return fail(ErrorCode::Malformed, Reason("infer.key"), About{nameOf(model)},
                    WB_TEXT("{} cannot be run: the value of {} is missing or impossible."), nameOf(model), key);
    return {};
}

Result<void> findEnds(const TensorFinder& tensors, Graph& graph) {
    const std::uint64_t width = graph.spec.width;
    WB_TRY_ASSIGN(graph.vocabulary, tensors.rowsOf("token_embd.weight"));
    WB_TRY_ASSIGN(graph.embedding, tensors.need("token_embd.weight", {graph.vocabulary, width}));
    if (graph.spec.family && graph.spec.family->learnedPositions) {
        WB_TRY_ASSIGN(graph.positions, tensors.need("position_embd.weight", {graph.spec.context, width}));
    }
    WB_TRY_ASSIGN(graph.outputNorm, tensors.needNorm("output_norm", width));
    WB_TRY_ASSIGN(graph.output, tensors.find("output.weight", {graph.vocabulary, width}));
    WB_TRY_ASSIGN(graph.outputBias, tensors.find("output.bias", {graph.vocabulary}));
    if (!graph.output) graph.output = graph.embedding;
    WB_TRY(findRopeFactors(tensors, graph));
    return findLayerInputs(tensors, graph);
}

} // namespace

Result<Graph> planGraph(ModelPtr model) {
    Graph graph;
    WB_TRY_ASSIGN(graph.spec, arch::readSpec(*model));
    WB_TRY(checkRunnable(*model, graph.spec));
    WB_TRY(checkNumbers(*model, graph.spec));
    const TensorFinder tensors(*model);
    WB_TRY(findEnds(tensors, graph));
    for (std::size_t i = 0; i < graph.spec.trunkLayers(); ++i) {
        WB_TRY_ASSIGN(LayerTensors layer, findLayer(tensors, graph.spec, i));
        graph.layers.push_back(layer);
    }
    graph.stages = listStages(graph);
    graph.model = std::move(model);
    return graph;
}

Graph firstLayers(const Graph& graph, std::size_t count) {
    Graph first = graph;
    first.layers.resize(count);
    first.output = first.outputBias = nullptr;
    first.outputNorm = {};
    std::erase_if(first.stages, [count](const Stage& stage) { return stage.kind == StageKind::Head || stage.layer >= count; });
    return first;
}

} // namespace wb::infer
