// SPDX-License-Identifier: MIT
#include "core/infer/graph/graph.h"

#include "core/arch/family.h"
#include "core/infer/graph/lower_index.h"
#include "core/infer/graph/lower_layer.h"
#include "core/infer/graph/lower_streams.h"
#include "core/infer/graph/rope.h"
#include "core/io/byte_source.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace wb::infer {
namespace {

std::string modelName(const Model& model) { return io::baseName(model.path); }

std::vector<std::string_view> runnableArchitectures() {
    std::vector<std::string_view> names;
    for (const arch::Family& family : arch::families())
        if (family.runs) names.push_back(family.architecture);
    std::ranges::sort(names);
    return names;
}

// A part of the experts that no engine has yet; null: none.
const char* missingExpertPart(const arch::ModelSpec& spec) {
    if (!spec.hasExperts()) return nullptr;
    if (spec.experts.gating == arch::Gating::SqrtSoftplus) return WB_TEXT("an unsupported router type");
    if (spec.experts.groups > 1 && (spec.experts.groupsUsed == 0 || spec.experts.count % spec.experts.groups != 0))
        return WB_TEXT("grouped experts");
    if (spec.experts.latentWidth > 0) return WB_TEXT("experts whose width differs from the model's");
    if (spec.routerSoftcap > 0) return WB_TEXT("a router with soft capping");
    // Experts parallel to a dense part have norms on both sides, others one before them.
    const bool isBeside = spec.family && spec.family->denseBesideExperts;
    if (spec.normPlacement != (isBeside ? arch::NormPlacement::Both : arch::NormPlacement::Before))
        return WB_TEXT("experts with their own norm");
    return nullptr;
}

// A kind of recurrent layer that no engine has yet; null: none.
const char* missingRecurrence(const arch::ModelSpec& spec) {
    for (const arch::LayerSpec& layer : spec.layers) {
        if (layer.recurrence == arch::Recurrence::None) continue;
        const bool isKnown = layer.recurrence != arch::Recurrence::Mamba && layer.recurrence != arch::Recurrence::Rwkv;
        // Gates of attention and queries of latent attention would be where the projection of the other part is.
        const bool mayAttend = layer.recurrence == arch::Recurrence::Mamba2 && spec.latent.keyValueRank == 0 &&
                               !(spec.family && spec.family->attentionGate);
        if (!isKnown || (layer.hasAttention() && !mayAttend)) return WB_TEXT("recurrent layers");
        if (spec.recurrent.convolution > ConvOp::maxWidth) return WB_TEXT("wide convolutions");
    }
    return nullptr;
}

// A part of a model that no engine has yet; null: none.
const char* missingPart(const arch::ModelSpec& spec) {
    if (const char* const part = missingRecurrence(spec)) return part;
    if (spec.attentionClamp > 0) return WB_TEXT("clamped attention");
    if (spec.maxAlibiBias > 0) return "ALiBi";
    if (!spec.causal) return WB_TEXT("bidirectional attention");
    if (spec.passes > 1) return WB_TEXT("layers that are applied more than once");
    if (spec.ngrams.layers.size() > 1) return WB_TEXT("n-gram embeddings in several layers");
    if (spec.streams.count > 0 && (spec.perLayerInput > 0 || spec.normPlacement != arch::NormPlacement::Before))
        return WB_TEXT("several residual streams with norms or embeddings of each layer");
    if (spec.temperatureScale > 0 && spec.temperatureContext == 0)
        return WB_TEXT("attention temperature without an original context length");
    if (std::ranges::any_of(spec.layers, [](const auto& l) {
            const bool mixesTokens = l.recurrence != arch::Recurrence::None || (l.heads > 0 && l.kvHeads > 0);
            return !mixesTokens && l.feedForward == 0 && l.expertsUsed == 0;
        }))
        return WB_TEXT("layers without attention and without a feed-forward part");
    return missingExpertPart(spec);
}

// Converters store the scale of a whole tensor of NVFP4 next to it; no engine multiplies by it yet.
bool hasTensorScales(const Model& model) {
    return std::ranges::any_of(model.tensors, [&model](const TensorInfo& tensor) {
        if (tensor.dtype != Dtype::NVFP4 || !tensor.name.ends_with(".weight")) return false;
        const std::string scale = tensor.name.substr(0, tensor.name.size() - std::string_view("weight").size()) + "scale";
        return std::ranges::find(model.tensors, scale, &TensorInfo::name) != model.tensors.end();
    });
}

Result<void> checkRunnable(const Model& model, const arch::ModelSpec& spec) {
    if (!spec.family || !spec.family->runs)
        return fail(ErrorCode::Unsupported, Reason("infer.architecture"), About{modelName(model)},
                    WB_TEXT("{} uses the architecture {}, which cannot be run; supported: {}."), modelName(model),
                    spec.architecture, fmt::join(runnableArchitectures(), ", "));
    const char* const part = hasTensorScales(model) ? WB_TEXT("scales of NVFP4 tensors") : missingPart(spec);
    if (part)
        return fail(ErrorCode::Unsupported, Reason("infer.part"), About{modelName(model)},
                    WB_TEXT("{} has {}, which is not supported yet."), modelName(model), part);
    return {};
}

// One list of divisors serves all layers that rotate with any.
Result<RopeOp> findDivisors(const TensorFinder& tensors, const arch::ModelSpec& spec) {
    RopeOp op;
    const auto rotates = [](const auto& layer) { return layer.ropeDimensions > 0 && usesDivisors(layer); };
    const auto rotated = std::ranges::find_if(spec.layers, rotates);
    if (rotated == spec.layers.end()) return op;
    const std::uint64_t pairs = rotated->ropeDimensions / 2;
    WB_TRY_ASSIGN(op.divisors, tensors.findSlice("rope_freqs.weight", {pairs}));
    if (spec.rope.scaling != arch::RopeScaling::LongRope) return op;
    op.originalContext = spec.rope.originalContext;
    WB_TRY_ASSIGN(op.longDivisors, tensors.needSlice("rope_factors_long.weight", {pairs}));
    WB_TRY_ASSIGN(op.shortDivisors, tensors.needSlice("rope_factors_short.weight", {pairs}));
    return op;
}

// The scales are those of Gemma 4 (huggingface/transformers: models/gemma4/modeling_gemma4.py).
Result<void> lowerLayerInputs(const TensorFinder& tensors, const arch::ModelSpec& spec, Graph& graph) {
    const std::uint64_t each = spec.perLayerInput, all = each * spec.trunkLayers();
    if (each == 0) return {};
    LayerInputsOp op;
    op.each = each;
    WB_TRY_ASSIGN(op.table, tensors.needSlice("per_layer_token_embd.weight", {graph.vocabulary, all}));
    WB_TRY_ASSIGN(op.projection, tensors.needSlice("per_layer_model_proj.weight", {all, spec.width}));
    WB_TRY_ASSIGN(const Slice norm, tensors.needSlice("per_layer_proj_norm.weight", {each}));
    op.norm = normOp(spec, {norm, {}});
    op.projectionScale = 1.0F / std::sqrt(static_cast<float>(spec.width));
    op.tableScale = std::sqrt(static_cast<float>(each));
    op.sumScale = 0.70710678118654752440F;
    graph.layerInputs = op;
    return {};
}

// The widest window of those who read each cache.
void measureWindows(Graph& graph) {
    std::vector<bool> seesAll(graph.caches.size());
    for (CacheShape& cache : graph.caches) cache.window = 0;
    for (const std::vector<LayerOp>& layer : graph.layers)
        for (const LayerOp& op : layer) {
            const auto* const attend = std::get_if<AttendOp>(&op);
            if (!attend) continue;
            if (attend->window == 0) seesAll[attend->cache] = true;
            CacheShape& cache = graph.caches[attend->cache];
            cache.window = seesAll[attend->cache] ? 0 : std::max(cache.window, attend->window);
        }
}

// The key of a number with which recurrent layers cannot be computed; null: none.
const char* wrongRecurrentKey(arch::Recurrence kind, const arch::ModelSpec& spec) {
    const arch::RecurrentSpec& r = spec.recurrent;
    if (kind == arch::Recurrence::None) return nullptr;
    if (kind == arch::Recurrence::ShortConvolution) return r.convolution == 0 ? "shortconv.l_cache" : nullptr;
    if (r.convolution == 0) return "ssm.conv_kernel";
    if (kind == arch::Recurrence::Kda) return spec.headCount == 0 ? "attention.head_count" : nullptr;
    if (r.state == 0) return "ssm.state_size";
    if (r.steps == 0 || r.inner == 0 || r.inner % r.steps != 0) return "ssm.time_step_rank";
    return r.groups == 0 || r.steps % r.groups != 0 ? "ssm.group_count" : nullptr;
}

// Dividing by what does not exist must not happen deep in an engine.
Result<void> checkNumbers(const Model& model, const arch::ModelSpec& spec) {
    const char* key = nullptr;
    if (spec.layers.empty()) key = "block_count";
    if (spec.width == 0) key = "embedding_length";
    if (spec.context == 0) key = "context_length";
    if (const char* const invalid = invalidStreamKey(spec)) key = invalid;
    if (const char* const invalid = invalidIndexKey(spec)) key = invalid;
    for (const arch::LayerSpec& layer : spec.layers) {
        if (layer.kvHeads > 0 && layer.heads % layer.kvHeads != 0) key = "attention.head_count_kv";
        if (layer.ropeDimensions % 2 != 0 || layer.ropeDimensions > layer.keyLength) key = "rope.dimension_count";
        if (spec.family && spec.family->attentionGate && layer.keyLength != layer.valueLength) key = "attention.value_length";
        if (spec.latent.keyValueRank > 0 && layer.hasAttention()) {
            const std::uint64_t rotated = layer.keyLength - spec.latent.keyValueRank;
            if (spec.latent.keyLength <= rotated) key = "attention.key_length_mla";
            if (spec.latent.valueLength == 0) key = "attention.value_length_mla";
            if (layer.ropeDimensions > rotated) key = "rope.dimension_count";
        }
        if (layer.expertsUsed > spec.experts.count) key = "expert_used_count";
        if (layer.expertsUsed == 0 && layer.expertWidth > 0) key = "expert_used_count";
        if (layer.expertsUsed > 0 && layer.expertWidth == 0) key = "expert_feed_forward_length";
        if (const char* const wrong = wrongRecurrentKey(layer.recurrence, spec)) key = wrong;
        const arch::LayerSpec& source = spec.layers[layer.cacheLayer];
        if (source.kvHeads != layer.kvHeads || source.keyLength != layer.keyLength || source.valueLength != layer.valueLength)
            key = "attention.shared_kv_layers";
    }
    if (key) return invalidKey(modelName(model), key);
    return {};
}

Result<void> lowerEmbedding(const TensorFinder& tensors, const arch::ModelSpec& spec, Graph& graph) {
    WB_TRY_ASSIGN(graph.vocabulary, tensors.tensorRows("token_embd.weight"));
    WB_TRY_ASSIGN(graph.embed.table, tensors.needSlice("token_embd.weight", {graph.vocabulary, spec.width}));
    if (spec.family && spec.family->learnedPositions) {
        WB_TRY_ASSIGN(graph.embed.positions, tensors.needSlice("position_embd.weight", {spec.context, spec.width}));
    }
    graph.embed.scale = spec.embeddingScale;
    graph.streams = spec.streams.count;
    return lowerLayerInputs(tensors, spec, graph);
}

Result<NormOp> lowerFinalNorm(const TensorFinder& tensors, const arch::ModelSpec& spec) {
    // Some families call it after the embedding.
    const bool isOther = !tensors.has("output_norm.weight") && tensors.has("token_embd_norm.weight");
    WB_TRY_ASSIGN(const NormTensors norm, tensors.needNorm(isOther ? "token_embd_norm" : "output_norm", spec.width));
    return normOp(spec, norm);
}

Result<HeadOp> lowerHead(const TensorFinder& tensors, const arch::ModelSpec& spec, const Graph& graph) {
    HeadOp op;
    if (graph.streams > 0) {
        WB_TRY_ASSIGN(op.mix, lowerMix(tensors, spec, "output_hc", false));
    } else {
        WB_TRY_ASSIGN(op.norm, lowerFinalNorm(tensors, spec));
    }
    WB_TRY_ASSIGN(op.output.weight, tensors.findSlice("output.weight", {graph.vocabulary, spec.width}));
    WB_TRY_ASSIGN(op.output.bias, tensors.findSlice("output.bias", {graph.vocabulary}));
    if (!op.output.weight) op.output.weight = graph.embed.table;
    op.scale = spec.logitScale;
    op.softcap = spec.finalSoftcap;
    return op;
}

// The tensors of the first layer that predicts ahead which other layers lack: the join and the head (ggml-org/llama.cpp:
// src/models/qwen35moe.cpp). Where it has no embedding, norm or output matrix, the model's are used.
Result<void> lowerPredictionEnds(const TensorFinder& tensors, const arch::ModelSpec& spec, const std::string& prefix,
                                 Graph& graph) {
    JoinOp join;
    WB_TRY_ASSIGN(const NormTensors token, tensors.needNorm(prefix + "enorm", spec.width));
    WB_TRY_ASSIGN(const NormTensors preceding, tensors.needNorm(prefix + "hnorm", spec.width));
    join.tokenNorm = normOp(spec, token);
    join.precedingNorm = normOp(spec, preceding);
    WB_TRY_ASSIGN(join.linear.weight, tensors.needSlice(prefix + "eh_proj.weight", {spec.width, 2 * spec.width}));
    graph.join = join;
    WB_TRY_ASSIGN(const Slice table, tensors.findSlice(prefix + "embed_tokens.weight", {graph.vocabulary, spec.width}));
    if (table) graph.embed.table = table;
    WB_TRY_ASSIGN(const NormTensors norm, tensors.findNorm(prefix + "shared_head_norm", spec.width));
    if (norm.weight) graph.head->norm = normOp(spec, norm);
    WB_TRY_ASSIGN(const Slice output, tensors.findSlice(prefix + "shared_head_head.weight", {graph.vocabulary, spec.width}));
    if (output) graph.head->output = {output, {}};
    return {};
}

Result<arch::ModelSpec> readCheckedSpec(const Model& model) {
    if (model.format != FormatId::Gguf)
        return fail(ErrorCode::Unsupported, Reason("infer.format"), About{modelName(model)},
                    WB_TEXT("{} is not a GGUF file; only GGUF models can be run. Convert it to GGUF first."), modelName(model));
    WB_TRY_ASSIGN(arch::ModelSpec spec, arch::readSpec(model));
    WB_TRY(checkRunnable(model, spec));
    WB_TRY(checkNumbers(model, spec));
    return spec;
}
// The number of caches and states that the operations of the first layers use.
struct Used {
    std::size_t caches = 0, states = 0;

    void cache(std::uint32_t index) { caches = std::max<std::size_t>(caches, index + std::size_t{1}); }
    void state(std::uint32_t index) { states = std::max<std::size_t>(states, index + std::size_t{1}); }

    void operator()(const AttendOp& op) { cache(op.cache); }
    void operator()(const ConvOp& op) { state(op.state); }
    void operator()(const DeltaNetOp& op) { state(op.state); }
    void operator()(const StateSpaceOp& op) { state(op.state); }
    void operator()(const NgramOp& op) { state(op.state); }
    void operator()(const IndexOp& op) {
        cache(op.cache);
        if (op.state) state(*op.state);
    }
    void operator()(const auto&) {}
};

} // namespace

Result<Graph> planGraph(ModelPtr model) {
    WB_TRY_ASSIGN(const arch::ModelSpec spec, readCheckedSpec(*model));
    const TensorFinder tensors(*model);
    Graph graph;
    graph.width = spec.width;
    graph.context = spec.context;
    WB_TRY(lowerEmbedding(tensors, spec, graph));
    WB_TRY_ASSIGN(graph.head, lowerHead(tensors, spec, graph));
    WB_TRY_ASSIGN(const RopeOp divisors, findDivisors(tensors, spec));
    LayerLowering layers(tensors, spec, divisors, graph);
    for (std::size_t i = 0; i < spec.trunkLayers(); ++i) {
        WB_TRY_ASSIGN(auto operations, layers.lower(i));
        graph.layers.push_back(std::move(operations));
    }
    measureWindows(graph);
    graph.model = std::move(model);
    return graph;
}

Result<Graph> planPrediction(ModelPtr model) {
    WB_TRY_ASSIGN(arch::ModelSpec spec, readCheckedSpec(*model));
    if (spec.predictionLayers == 0)
        return fail(ErrorCode::Unsupported, Reason("infer.no_prediction"), About{modelName(*model)},
                    WB_TEXT("{} has no multi-token prediction (MTP) layers."), modelName(*model));
    const TensorFinder tensors(*model);
    const std::size_t index = spec.trunkLayers();
    spec.layers[index].predictsAhead = false; // it stores its own keys and values
    Graph graph;
    graph.width = spec.width;
    graph.context = spec.context;
    WB_TRY(lowerEmbedding(tensors, spec, graph));
    WB_TRY_ASSIGN(graph.head, lowerHead(tensors, spec, graph));
    WB_TRY(lowerPredictionEnds(tensors, spec, fmt::format("blk.{}.nextn.", index), graph));
    WB_TRY_ASSIGN(const RopeOp divisors, findDivisors(tensors, spec));
    WB_TRY_ASSIGN(auto operations, LayerLowering(tensors, spec, divisors, graph).lower(index));
    graph.layers.push_back(std::move(operations));
    measureWindows(graph);
    graph.model = std::move(model);
    return graph;
}

Graph firstLayers(const Graph& graph, std::size_t count) {
    Graph first = graph;
    first.layers.resize(count);
    first.head.reset();
    Used used;
    for (const std::vector<LayerOp>& layer : first.layers)
        for (const LayerOp& op : layer) std::visit(used, op);
    first.caches.resize(used.caches);
    first.states.resize(used.states);
    measureWindows(first);
    return first;
}

} // namespace wb::infer
