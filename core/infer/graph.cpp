// SPDX-License-Identifier: MIT
#include "core/infer/graph.h"

#include "core/io/byte_source.h"
#include "core/tensor/decode.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace wb::infer {
namespace {

// Families whose graph is compared with reference logits.
constexpr std::array<std::string_view, 6> runnable = {"granite", "llama", "mistral3", "qwen2", "qwen3", "smollm3"};

std::string nameOf(const Model& model) { return io::baseName(model.path); }

// A part of a model that no engine has yet; null: none.
const char* missingPart(const arch::ModelSpec& spec) {
    const bool recurs = std::ranges::any_of(spec.layers, [](const auto& l) { return l.recurrence != arch::Recurrence::None; });
    if (recurs) return "recurrent layers";
    if (spec.hasExperts()) return "experts";
    if (spec.latent.keyValueRank > 0) return "latent attention";
    if (spec.rope.scaling == arch::RopeScaling::LongRope) return "LongRoPE";
    if (spec.attentionSoftcap > 0 || spec.finalSoftcap > 0) return "soft caps";
    if (spec.attentionClamp > 0) return "clamped attention";
    if (spec.maxAlibiBias > 0) return "ALiBi";
    if (spec.temperatureScale > 0 && spec.rope.originalContext == 0) return "attention temperature without an original context";
    if (std::ranges::any_of(spec.layers, [](const auto& l) { return l.heads == 0 || l.kvHeads == 0 || l.feedForward == 0; }))
        return "layers without attention";
    return nullptr;
}

Result<void> checkRunnable(const Model& model, const arch::ModelSpec& spec) {
    if (std::ranges::find(runnable, spec.architecture) == runnable.end())
        return fail(ErrorCode::Unsupported, Reason("infer.architecture"), About{nameOf(model)},
                    WB_TEXT("{} has the architecture {}, which this program cannot run; it runs {}."), nameOf(model),
                    spec.architecture, fmt::join(runnable, ", "));
    if (const char* const part = missingPart(spec))
        return fail(ErrorCode::Unsupported, Reason("infer.part"), About{nameOf(model)},
                    WB_TEXT("{} has {}, which this program cannot run yet."), nameOf(model), part);
    return {};
}

// Finds tensors by name and holds them to their shapes.
class Tensors {
public:
    explicit Tensors(const Model& model) : m_model(model) {
        for (const TensorInfo& tensor : model.tensors) m_byName.emplace(tensor.name, &tensor);
    }

    Result<const TensorInfo*> need(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
        WB_TRY_ASSIGN(const TensorInfo* const tensor, find(name, shape));
        if (!tensor)
            return fail(ErrorCode::Malformed, Reason("infer.missing_tensor"), About{file()},
                        WB_TEXT("{} lacks the tensor {}, which its architecture needs."), file(), name);
        return tensor;
    }

    // Null where there is none of that name.
    Result<const TensorInfo*> find(const std::string& name, std::initializer_list<std::uint64_t> shape) const {
        const auto found = m_byName.find(name);
        if (found == m_byName.end()) return nullptr;
        const TensorInfo& tensor = *found->second;
        const auto wanted = Shape::make(shape);
        if (!wanted || !(tensor.shape == *wanted))
            return fail(ErrorCode::Malformed, Reason("infer.wrong_shape"), About{file()},
                        WB_TEXT("{} has the tensor {} with the shape {}, where its architecture needs {}."), file(), name,
                        tensor.shape.toString(), wanted ? wanted->toString() : "[]");
        if (!canDecode(tensor.dtype))
            return fail(ErrorCode::Unsupported, Reason("infer.type"), About{file()},
                        WB_TEXT("{} has the tensor {} of the type {}, which cannot be computed with."), file(), name,
                        tensor.dtypeName());
        return &tensor;
    }

    // The rows of a matrix whose row length is known.
    Result<std::uint64_t> rowsOf(const std::string& name) const {
        const auto found = m_byName.find(name);
        if (found == m_byName.end() || found->second->shape.rank() != 2)
            return fail(ErrorCode::Malformed, Reason("infer.missing_tensor"), About{file()},
                        WB_TEXT("{} lacks the tensor {}, which its architecture needs."), file(), name);
        return found->second->shape[0];
    }

private:
    std::string file() const { return nameOf(m_model); }

    const Model& m_model;
    std::unordered_map<std::string_view, const TensorInfo*> m_byName;
};

Result<LayerTensors> findLayer(const Tensors& tensors, const arch::ModelSpec& spec, std::size_t index) {
    const arch::LayerSpec& layer = spec.layers[index];
    const std::string prefix = fmt::format("blk.{}.", index);
    const std::uint64_t width = spec.width, ff = layer.feedForward;
    const std::uint64_t q = layer.heads * layer.keyLength, k = layer.kvHeads * layer.keyLength,
                        v = layer.kvHeads * layer.valueLength;
    const std::uint64_t attended = layer.heads * layer.valueLength;
    LayerTensors t;
    WB_TRY_ASSIGN(t.attentionNorm, tensors.need(prefix + "attn_norm.weight", {width}));
    WB_TRY_ASSIGN(t.q, tensors.need(prefix + "attn_q.weight", {q, width}));
    WB_TRY_ASSIGN(t.k, tensors.need(prefix + "attn_k.weight", {k, width}));
    WB_TRY_ASSIGN(t.v, tensors.need(prefix + "attn_v.weight", {v, width}));
    WB_TRY_ASSIGN(t.out, tensors.need(prefix + "attn_output.weight", {width, attended}));
    WB_TRY_ASSIGN(t.qBias, tensors.find(prefix + "attn_q.bias", {q}));
    WB_TRY_ASSIGN(t.kBias, tensors.find(prefix + "attn_k.bias", {k}));
    WB_TRY_ASSIGN(t.vBias, tensors.find(prefix + "attn_v.bias", {v}));
    WB_TRY_ASSIGN(t.outBias, tensors.find(prefix + "attn_output.bias", {width}));
    WB_TRY_ASSIGN(t.qNorm, tensors.find(prefix + "attn_q_norm.weight", {layer.keyLength}));
    WB_TRY_ASSIGN(t.kNorm, tensors.find(prefix + "attn_k_norm.weight", {layer.keyLength}));
    WB_TRY_ASSIGN(t.feedForwardNorm, tensors.need(prefix + "ffn_norm.weight", {width}));
    WB_TRY_ASSIGN(t.gate, tensors.need(prefix + "ffn_gate.weight", {ff, width}));
    WB_TRY_ASSIGN(t.up, tensors.need(prefix + "ffn_up.weight", {ff, width}));
    WB_TRY_ASSIGN(t.down, tensors.need(prefix + "ffn_down.weight", {width, ff}));
    return t;
}

Result<void> findRopeFactors(const Tensors& tensors, Graph& graph) {
    const auto& layers = graph.spec.layers;
    const auto rotated = std::ranges::find_if(layers, [](const auto& layer) { return layer.ropeDimensions > 0; });
    if (rotated == layers.end()) return {};
    WB_TRY_ASSIGN(graph.ropeFactors, tensors.find("rope_freqs.weight", {rotated->ropeDimensions / 2}));
    return {};
}

std::vector<Stage> listStages(std::size_t layers) {
    std::vector<Stage> stages;
    for (std::uint32_t layer = 0; layer < layers; ++layer)
        for (const StageKind kind :
             {StageKind::NormQkv, StageKind::RopeAttention, StageKind::OutResidual, StageKind::NormGateUp, StageKind::DownResidual})
            stages.push_back({kind, layer});
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
    }
    if (key)
        return fail(ErrorCode::Malformed, Reason("infer.key"), About{nameOf(model)},
                    WB_TEXT("{} cannot be run: the value of {} is missing or impossible."), nameOf(model), key);
    return {};
}

} // namespace

Result<Graph> planGraph(ModelPtr model) {
    Graph graph;
    WB_TRY_ASSIGN(graph.spec, arch::readSpec(*model));
    WB_TRY(checkRunnable(*model, graph.spec));
    WB_TRY(checkNumbers(*model, graph.spec));
    const Tensors tensors(*model);
    const std::uint64_t width = graph.spec.width;
    WB_TRY_ASSIGN(graph.vocabulary, tensors.rowsOf("token_embd.weight"));
    WB_TRY_ASSIGN(graph.embedding, tensors.need("token_embd.weight", {graph.vocabulary, width}));
    WB_TRY_ASSIGN(graph.outputNorm, tensors.need("output_norm.weight", {width}));
    WB_TRY_ASSIGN(graph.output, tensors.find("output.weight", {graph.vocabulary, width}));
    if (!graph.output) graph.output = graph.embedding;
    WB_TRY(findRopeFactors(tensors, graph));
    for (std::size_t i = 0; i < graph.spec.trunkLayers(); ++i) {
        WB_TRY_ASSIGN(LayerTensors layer, findLayer(tensors, graph.spec, i));
        graph.layers.push_back(layer);
    }
    graph.stages = listStages(graph.layers.size());
    graph.model = std::move(model);
    return graph;
}

} // namespace wb::infer
