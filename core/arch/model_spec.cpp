// SPDX-License-Identifier: MIT
#include "core/arch/model_spec.h"

#include "core/arch/config_keys.h"
#include "core/arch/family.h"
#include "core/arch/hyperparameters.h"
#include "core/arch/indexer_spec.h"
#include "core/arch/stream_spec.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wb::arch {
namespace {

constexpr Family general{.architecture = "", .rope = RopeStyle::None};
constexpr float usualRopeBase = 10000;

// The layers' numbers, one vector a key, before each layer takes its own.
struct LayerNumbers {
    std::vector<std::uint64_t> heads, kvHeads, feedForward, expertsUsed, expertWidth, indexBlock;
    std::optional<std::vector<bool>> windowed, recurrent, rotates;
};

class SpecReader {
public:
    SpecReader(Hyperparameters& keys, std::string architecture) : m_keys(keys) {
        m_spec.architecture = std::move(architecture);
        m_spec.family = findFamily(m_spec.architecture);
        if (m_spec.family && m_spec.family->isPartial) m_spec.family = nullptr;
        if (m_spec.family) m_family = *m_spec.family;
    }

    Result<ModelSpec> read() {
        readSizes();
        readScales();
        readExperts();
        readLatent();
        readRecurrence();
        readRope();
        readTemperature();
        m_spec.indexer = readIndexer(m_keys, m_family);
        m_spec.streams = readStreams(m_keys);
        readNgrams();
        readLayers();
        if (m_keys.error()) return std::unexpected(*m_keys.error());
        return std::move(m_spec);
    }

private:
    void readSizes();
    void readScales();
    void readExperts();
    void readLatent();
    void readRecurrence();
    void readRope();
    void readTemperature();
    void readNgrams();
    void readLayers();
    LayerNumbers layerNumbers();
    LayerSpec tensorLayer(std::size_t i, const LayerNumbers& numbers);
    void setAttention(LayerSpec& layer, std::size_t i, const LayerNumbers& numbers, bool isWindowed);
    void setFeedForward(LayerSpec& layer, std::size_t i, const LayerNumbers& numbers);
    void shareCaches();
    bool isRecurrent(std::size_t i, const LayerNumbers& numbers);
    bool isWindowed(std::size_t i, const LayerNumbers& numbers);
    bool rotates(std::size_t i, const LayerNumbers& numbers, bool isWindowed);
    bool hasExperts(std::size_t i, const LayerNumbers& numbers);
    Gating defaultGating() const;

    Hyperparameters& m_keys;
    Family m_family = general;
    ModelSpec m_spec;
    float m_ropeBase = usualRopeBase;
    float m_windowRopeBase = usualRopeBase; // of layers with a window
};

void SpecReader::readSizes() {
    m_spec.blockCount = m_keys.exactNumber("block_count", 1, maxLayers);
    m_spec.predictionLayers = m_keys.exactNumber("nextn_predict_layers", 0, m_spec.blockCount);
    m_spec.passes = std::max<std::uint64_t>(1, m_keys.number("num_loops", maxLayers));
    m_spec.width = m_keys.number("embedding_length", maxWidth);
    m_spec.vocabulary = m_keys.number("vocab_size", maxVocabulary);
    m_spec.context = m_keys.number("context_length", maxContext);
    m_spec.perLayerInput = m_keys.number("embedding_length_per_layer_input", maxWidth);
    m_spec.window = m_keys.number("attention.sliding_window", maxContext, m_family.chunks.length);
    if (m_spec.window > 0 && m_family.chunks.length > 0) m_spec.window = m_family.chunks.length;
    m_spec.causal = m_keys.flag("attention.causal", true);
    m_spec.parallelResidual = m_keys.flag("use_parallel_residual", m_family.parallel);
    m_spec.norm = m_family.norm;
    m_spec.normPlacement = m_family.placement;
    m_spec.activation = m_family.activation;
    m_spec.gatedFeedForward = m_family.gated;
    const char* const epsilon =
        m_family.norm == NormKind::Rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon";
    m_spec.normEpsilon = m_keys.real(epsilon, 0);
}

void SpecReader::readScales() {
    const float width = static_cast<float>(m_spec.width);
    m_spec.embeddingScale = m_keys.real("embedding_scale", m_family.sqrtEmbedding ? std::sqrt(width) : 1);
    m_spec.residualScale = m_keys.real("residual_scale", 1);
    const float logits = m_keys.real("logit_scale", 1);
    m_spec.logitScale = logits == 0 ? 1 : m_family.dividesLogits ? 1 / logits : logits;
    m_spec.attentionScale = m_keys.real("attention.scale", m_family.attentionScale);
    const std::uint64_t heads = m_keys.number("attention.head_count", maxHeads);
    if (m_family.widthScaledLayers == m_spec.blockCount && m_spec.blockCount > 0 && heads > 0 && m_spec.attentionScale == 0)
        m_spec.attentionScale = 1 / std::sqrt(width / static_cast<float>(heads));
    m_spec.attentionSoftcap = m_keys.real("attn_logit_softcapping", 0);
    m_spec.finalSoftcap = m_keys.real("final_logit_softcapping", 0);
    m_spec.routerSoftcap = m_keys.real("router_logit_softcapping", 0);
    m_spec.attentionClamp = m_keys.real("attention.clamp_kqv", 0);
    m_spec.maxAlibiBias = m_keys.real("attention.max_alibi_bias", 0);
}

// Chunked attention has its own temperature; the usual one needs rope.originalContext.
void SpecReader::readTemperature() {
    const bool isChunked = m_spec.window > 0 && m_family.chunks.length > 0;
    m_spec.temperatureScale = m_keys.real("attention.temperature_scale", isChunked ? m_family.chunks.temperature : 0);
    if (m_spec.temperatureScale <= 0) return;
    m_spec.temperatureContext = isChunked ? m_family.chunks.length : m_spec.rope.originalContext;
    m_spec.temperatureOffset = isChunked ? 1 : 0;
    m_spec.temperatureOfRopeless = isChunked;
}

// The key of Gemma's per-layer embeddings is the length of their rows.
void SpecReader::readNgrams() {
    m_spec.ngrams = wb::arch::readNgrams(m_keys);
    if (m_spec.ngrams.size > 0) m_spec.ngrams.length = std::exchange(m_spec.perLayerInput, 0);
}

Gating SpecReader::defaultGating() const {
    const GatingOfSize& size = m_family.gatingOfSize;
    const bool isOfSize = m_spec.blockCount >= size.minBlocks && m_spec.blockCount <= size.maxBlocks;
    return isOfSize && m_spec.vocabulary == size.vocabulary ? size.gating : m_family.gating;
}

void SpecReader::readExperts() {
    ExpertSpec& experts = m_spec.experts;
    experts.count = m_keys.exactNumber("expert_count", 0, maxExperts);
    if (experts.count == 0) return;
    experts.shared = m_keys.number("expert_shared_count", maxExperts, m_family.sharedExperts);
    if (experts.shared == 0 && m_keys.number("expert_shared_feed_forward_length", maxWidth) > 0) experts.shared = 1;
    experts.leadingDense = m_keys.number("leading_dense_block_count", maxLayers);
    experts.groups = m_keys.number("expert_group_count", maxExperts);
    experts.groupsUsed = m_keys.number("expert_group_used_count", maxExperts);
    const std::uint64_t gating = m_keys.number("expert_gating_func", 4);
    experts.gating = gating == 0 ? defaultGating() : static_cast<Gating>(gating);
    experts.normalizesWeights = m_keys.flag("expert_weights_norm", m_family.normalizesExperts);
    const float scale = m_keys.real("expert_weights_scale", 1);
    experts.weightScale = scale == 0 ? 1 : scale;
    experts.latentWidth = m_keys.number("moe_latent_size", maxWidth);
    const std::uint64_t used = m_keys.number("expert_used_count", maxExperts);
    if (used > experts.count) m_keys.failRange("expert_used_count", used, 0, experts.count);
}

void SpecReader::readLatent() {
    LatentSpec& latent = m_spec.latent;
    latent.keyValueRank = m_keys.number("attention.kv_lora_rank", maxHeadLength);
    if (latent.keyValueRank == 0) return;
    latent.queryRank = m_keys.number("attention.q_lora_rank", maxHeadLength);
    latent.keyLength = m_keys.number("attention.key_length_mla", maxHeadLength);
    latent.valueLength = m_keys.number("attention.value_length_mla", maxHeadLength);
}

void SpecReader::readRecurrence() {
    RecurrentSpec& r = m_spec.recurrent;
    const auto number = [&](const char* key) { return m_keys.number(key, maxHeadLength); };
    r.convolution = std::max(number("ssm.conv_kernel"), number("shortconv.l_cache"));
    r.inner = number("ssm.inner_size");
    r.state = number("ssm.state_size");
    r.groups = number("ssm.group_count");
    r.steps = number("ssm.time_step_rank");
    r.headLength = std::max(number("wkv.head_size"), number("kda.head_dim"));
    r.shifts = number("token_shift_count");
    if (number("wkv.head_size") > 0) r.kind = Recurrence::Rwkv;
    else if (number("shortconv.l_cache") > 0) r.kind = Recurrence::ShortConvolution;
    else if (number("kda.head_dim") > 0) r.kind = Recurrence::Kda;
    else if (r.inner == 0) r.kind = Recurrence::None;
    else if (number("full_attention_interval") > 0 || m_keys.has("attention.recurrent_layers")) r.kind = Recurrence::DeltaNet;
    else r.kind = r.groups > 0 ? Recurrence::Mamba2 : Recurrence::Mamba;
    if (r.kind == Recurrence::Rwkv && r.shifts == 0) r.shifts = 2;
}

RopeScaling scalingFromName(const std::string& name) {
    if (name == "yarn") return RopeScaling::Yarn;
    if (name == "longrope") return RopeScaling::LongRope;
    return name == "none" ? RopeScaling::None : RopeScaling::Linear;
}

void SpecReader::readRope() {
    RopeSpec& rope = m_spec.rope;
    rope.style = m_family.rope;
    m_ropeBase = m_keys.real("rope.freq_base", usualRopeBase);
    m_windowRopeBase = m_keys.real("rope.freq_base_swa", m_family.windowRopeBase > 0 ? m_family.windowRopeBase : m_ropeBase);
    const auto sections = m_keys.list("rope.dimension_sections", rope.sections.size(), maxHeadLength);
    std::ranges::copy(sections, rope.sections.begin());
    rope.scaling = scalingFromName(m_keys.text("rope.scaling.type"));
    const float factor = m_keys.real("rope.scaling.factor", m_keys.real("rope.scale_linear", 1));
    rope.factor = factor == 0 ? 1 : factor;
    if (rope.scaling == RopeScaling::Linear && rope.factor == 1) rope.scaling = RopeScaling::None;
    rope.originalContext = m_keys.number("rope.scaling.original_context_length", maxContext, m_spec.context);
    rope.attentionFactor = m_keys.real("rope.scaling.attn_factor", m_keys.real("rope.scaling.yarn_attn_factor", 1));
    rope.yarnExtFactor = m_keys.real("rope.scaling.yarn_ext_factor", -1);
    rope.yarnBetaFast = m_keys.real("rope.scaling.yarn_beta_fast", 32);
    rope.yarnBetaSlow = m_keys.real("rope.scaling.yarn_beta_slow", 1);
    rope.yarnLogMultiplier = m_keys.real("rope.scaling.yarn_log_multiplier", 0);
    if (m_family.ropeIfFinetuned && !m_keys.flag("rope.scaling.finetuned", true)) rope.style = RopeStyle::None;
}

LayerNumbers SpecReader::layerNumbers() {
    const auto layers = static_cast<std::size_t>(m_spec.blockCount);
    LayerNumbers numbers;
    numbers.heads = m_keys.perLayer("attention.head_count", layers, maxHeads, 0, true);
    numbers.kvHeads = numbers.heads;
    if (m_keys.has("attention.head_count_kv"))
        numbers.kvHeads = m_keys.perLayer("attention.head_count_kv", layers, maxHeads, 0, true);
    numbers.feedForward = m_keys.perLayer("feed_forward_length", layers, maxWidth);
    numbers.expertsUsed = m_keys.perLayer("expert_used_count", layers, maxExperts);
    numbers.expertWidth = m_keys.perLayer("expert_feed_forward_length", layers, maxWidth);
    numbers.indexBlock = indexBlocks(m_keys, m_family, m_spec);
    numbers.windowed = m_keys.flags("attention.sliding_window_pattern", layers);
    numbers.recurrent = m_keys.flags("attention.recurrent_layers", layers);
    numbers.rotates = m_keys.flags("attention.rope_pattern", layers);
    return numbers;
}

// Where layers differ, those without KV heads are recurrent, and where the feed-forward width is identified by layer, those without
// that too.
bool SpecReader::isRecurrent(std::size_t i, const LayerNumbers& numbers) {
    if (m_spec.recurrent.kind == Recurrence::None) return false;
    if (numbers.recurrent) return (*numbers.recurrent)[i];
    const std::uint64_t interval = m_keys.number("full_attention_interval", maxLayers);
    if (interval > 0) return i % interval != interval - 1;
    if (!m_keys.isPerLayer("attention.head_count_kv")) return true;
    return numbers.kvHeads[i] == 0 && !(m_keys.isPerLayer("feed_forward_length") && numbers.feedForward[i] > 0);
}

bool SpecReader::isWindowed(std::size_t i, const LayerNumbers& numbers) {
    if (m_spec.window == 0) return false;
    if (numbers.windowed) return (*numbers.windowed)[i];
    const std::uint64_t stated = m_keys.number("attention.sliding_window_pattern", maxLayers);
    const std::uint64_t period = stated > 0 ? stated : m_family.windowPeriod;
    return period > 0 && i % period != period - 1;
}

bool SpecReader::rotates(std::size_t i, const LayerNumbers& numbers, bool isWindowed) {
    if (m_spec.rope.style == RopeStyle::None && m_spec.family) return false;
    if (numbers.rotates) return (*numbers.rotates)[i];
    if (m_family.ropelessPeriod > 0 && (i + 1) % m_family.ropelessPeriod == 0) return false;
    return !m_family.ropelessFull || isWindowed || m_spec.window == 0;
}

// A layer is recurrent instead of attending where the file reports it layer by layer; elsewhere it may do both (Falcon-H1).
void SpecReader::setAttention(LayerSpec& layer, std::size_t i, const LayerNumbers& numbers, bool isWindowed) {
    const bool isOther = layer.recurrence != Recurrence::None && m_spec.recurrent.kind == Recurrence::DeltaNet;
    if (numbers.heads[i] == 0 || numbers.kvHeads[i] == 0 || isOther) return;
    const std::uint64_t usual = m_spec.width / numbers.heads[i];
    const std::uint64_t rope = m_keys.number("rope.dimension_count", maxHeadLength);
    layer.heads = numbers.heads[i];
    layer.kvHeads = numbers.kvHeads[i];
    layer.keyLength = m_keys.number("attention.key_length", maxHeadLength, usual);
    layer.valueLength = m_keys.number("attention.value_length", maxHeadLength, usual);
    layer.ropeDimensions = rope > 0 ? rope : layer.keyLength;
    layer.ropeBase = isWindowed ? m_windowRopeBase : m_ropeBase;
    if (isWindowed) {
        const std::uint64_t keys = m_keys.number("attention.key_length_swa", maxHeadLength, layer.keyLength);
        const std::uint64_t dimensions = keys == layer.keyLength ? layer.ropeDimensions : keys;
        layer.window = m_spec.window;
        layer.chunked = m_family.chunks.length > 0;
        layer.keyLength = keys;
        layer.valueLength = m_keys.number("attention.value_length_swa", maxHeadLength, layer.valueLength);
        layer.ropeDimensions = m_keys.number("rope.dimension_count_swa", maxHeadLength, dimensions);
    }
    if (m_spec.latent.keyValueRank > 0) {
        layer.kvHeads = 1;
        layer.keyLength = m_spec.latent.keyValueRank + rope;
        layer.valueLength = 0;
    }
    layer.indexBlock = numbers.indexBlock[i];
    layer.selects = m_spec.indexer.topK > 0 && (layer.indexBlock > 0 || m_family.indexer == IndexerKind::Token);
    if (rotates(i, numbers, isWindowed)) return;
    layer.ropeDimensions = 0;
    layer.ropeBase = 0;
}

// A family that tells feed-forward widths layer by layer has layers without any.
bool SpecReader::hasExperts(std::size_t i, const LayerNumbers& numbers) {
    if (m_spec.experts.count == 0 || i < m_spec.experts.leadingDense) return false;
    const std::uint64_t step = m_keys.number("interleave_moe_layer_step", maxLayers);
    if (step > 1 && (i + 1) % step != 0) return false;
    return !m_keys.isPerLayer("feed_forward_length") || numbers.feedForward[i] > 0;
}

void SpecReader::setFeedForward(LayerSpec& layer, std::size_t i, const LayerNumbers& numbers) {
    layer.feedForward = numbers.feedForward[i];
    if (!hasExperts(i, numbers)) return;
    layer.expertsUsed = numbers.expertsUsed[i];
    layer.expertWidth = numbers.expertWidth[i] > 0 ? numbers.expertWidth[i] : numbers.feedForward[i];
    layer.sharedExpertWidth =
        m_keys.number("expert_shared_feed_forward_length", maxWidth, m_spec.experts.shared * layer.expertWidth);
    if (!m_family.denseBesideExperts) layer.feedForward = 0;
}

LayerSpec SpecReader::tensorLayer(std::size_t i, const LayerNumbers& numbers) {
    LayerSpec layer;
    layer.predictsAhead = i >= m_spec.blockCount - m_spec.predictionLayers;
    layer.cacheLayer = static_cast<std::uint32_t>(i);
    if (!layer.predictsAhead && isRecurrent(i, numbers)) layer.recurrence = m_spec.recurrent.kind;
    setAttention(layer, i, numbers, isWindowed(i, numbers));
    setFeedForward(layer, i, numbers);
    return layer;
}

// The last layers of some families use the cache of the previous layer of the same type.
void SpecReader::shareCaches() {
    const std::size_t trunk = m_spec.trunkLayers();
    const std::uint64_t shared = m_keys.number("attention.shared_kv_layers", maxLayers);
    const std::size_t own = trunk - std::min<std::size_t>(trunk, static_cast<std::size_t>(shared));
    for (std::size_t i = own; i < trunk; ++i)
        for (std::size_t j = 0; j < own; ++j)
            if ((m_spec.layers[j].window > 0) == (m_spec.layers[i].window > 0))
                m_spec.layers[i].cacheLayer = static_cast<std::uint32_t>(j);
}

void SpecReader::readLayers() {
    const LayerNumbers numbers = layerNumbers();
    if (m_keys.error() || m_spec.blockCount == 0) return;
    m_spec.headCount = numbers.heads[0];
    m_spec.kvHeadCount = numbers.kvHeads[0];
    for (std::size_t i = 0; i < m_spec.blockCount; ++i) m_spec.layers.push_back(tensorLayer(i, numbers));
    shareCaches();
    // A window that no layer has is not used.
    if (std::ranges::none_of(m_spec.layers, [](const LayerSpec& layer) { return layer.window > 0; })) m_spec.window = 0;
}

bool nameHas(const TensorInfo& tensor, std::string_view part) { return tensor.name.find(part) != std::string::npos; }

// Facts that a GGUF file states by tensors instead of keys.
void readTensors(ModelSpec& spec, const Model& model) {
    const auto any = [&](auto holds) { return std::ranges::any_of(model.tensors, holds); };
    spec.tiedEmbeddings = model.tensors.empty() ? spec.family && spec.family->tied
                                                : !any([](const TensorInfo& t) { return t.name == "output.weight"; });
    const bool isLong = any([](const TensorInfo& t) { return nameHas(t, "rope_factors_long"); });
    if (isLong) spec.rope.scaling = RopeScaling::LongRope;
    spec.rope.hasFactors = isLong || any([](const TensorInfo& t) { return nameHas(t, "rope_freqs."); });
}

Result<ModelSpec> specOfKeys(const Model& model, const std::string& architecture) {
    Hyperparameters keys(model.files.empty() ? io::baseName(model.path) : model.files[0].name);
    const std::string prefix = architecture + ".";
    const Family* const family = findFamily(architecture);
    if (!family || !family->isProjector)
        for (const Member& member : model.metadata.members)
            if (member.key.starts_with(prefix)) keys.add(member.key.substr(prefix.size()), member.value, member.key);
    const Value* const tokens = model.metadata.find("tokenizer.ggml.tokens");
    WB_TRY_ASSIGN(ModelSpec spec, SpecReader(keys, architecture).read());
    if (tokens && tokens->array()) spec.vocabulary = std::min(tokens->array()->count, maxVocabulary);
    readTensors(spec, model);
    return spec;
}

} // namespace

Result<ModelSpec> specOfConfig(const ValueObject& config, const std::string& file) {
    WB_TRY_ASSIGN(ConfigKeys config_, keysOfConfig(config, file));
    WB_TRY_ASSIGN(ModelSpec spec, SpecReader(config_.keys, config_.architecture).read());
    spec.tiedEmbeddings = config_.tied.value_or(spec.family && spec.family->tied);
    spec.ropeFactors = std::move(config_.factors);
    const RopeFactors& factors = spec.ropeFactors;
    spec.rope.hasFactors = factors.llama3 || !factors.longFactors.empty() || factors.rotatedPart > 0;
    return spec;
}

Result<ModelSpec> readSpec(const Model& model) {
    const Value* const config = model.metadata.find("config.json");
    const bool isFolder = config && config->object() && !model.metadata.find("general.architecture");
    if (isFolder) return specOfConfig(*config->object(), "config.json");
    if (model.architecture) return specOfKeys(model, *model.architecture);
    return fail(ErrorCode::Unsupported, Reason("arch.no_hyperparameters"), About{io::baseName(model.path)},
                WB_TEXT("{} does not describe the model's layers; open a GGUF file or a folder with config.json."),
                io::baseName(model.path));
}

} // namespace wb::arch
