// SPDX-License-Identifier: MIT
#include "core/arch/config_keys.h"

#include "core/arch/family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace wb::arch {
namespace {

using Names = std::array<const char*, 6>;

enum class Kind : std::uint8_t { Count, Real, Flag };

struct Alias {
    const char* key;
    Kind kind;
    Names names; // the first one found wins
};

constexpr Alias aliases[] = {
    {"context_length",
     Kind::Count,
     {"max_position_embeddings", "n_ctx", "n_positions", "max_length", "max_sequence_length", "model_max_length"}},
    {"embedding_length", Kind::Count, {"hidden_size", "n_embd", "dim", "d_model"}},
    {"feed_forward_length",
     Kind::Count,
     {"prefix_dense_intermediate_size", "dense_intermediate_size", "intermediate_size", "n_inner", "hidden_dim",
      "ffn_hidden_size"}},
    {"attention.head_count", Kind::Count, {"num_attention_heads", "n_head", "n_heads"}},
    {"attention.head_count_kv", Kind::Count, {"num_key_value_heads", "n_kv_heads", "num_kv_heads", "n_head_kv"}},
    {"attention.layer_norm_rms_epsilon", Kind::Real, {"rms_norm_eps", "norm_eps", "layer_norm_epsilon"}},
    {"attention.layer_norm_epsilon", Kind::Real, {"layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps"}},
    {"attention.causal", Kind::Flag, {"is_causal"}},
    {"attention.sliding_window", Kind::Count, {"sliding_window", "attention_chunk_size"}},
    {"attention.scale", Kind::Real, {"attention_multiplier"}},
    {"attention.clamp_kqv", Kind::Real, {"clip_qkv"}},
    {"attention.q_lora_rank", Kind::Count, {"q_lora_rank"}},
    {"attention.kv_lora_rank", Kind::Count, {"kv_lora_rank"}},
    {"attention.shared_kv_layers", Kind::Count, {"num_kv_shared_layers"}},
    {"attention.indexer.head_count", Kind::Count, {"index_n_heads", "indexer_n_heads"}},
    {"attention.indexer.key_length", Kind::Count, {"index_head_dim", "indexer_head_dim"}},
    {"attention.indexer.top_k", Kind::Count, {"index_topk", "indexer_budget"}},
    {"hyper_connection.count", Kind::Count, {"hc_count"}},
    {"hyper_connection.low_rank", Kind::Count, {"hc_lowrank"}},
    {"ple.ngram_size", Kind::Count, {"ngram_size"}},
    {"ple.heads_per_ngram", Kind::Count, {"heads_per_ngram"}},
    {"ple.conv_kernel", Kind::Count, {"ple_conv_kernel_size"}},
    {"attn_logit_softcapping", Kind::Real, {"attn_logit_softcapping"}},
    {"final_logit_softcapping", Kind::Real, {"final_logit_softcapping"}},
    {"embedding_scale", Kind::Real, {"embedding_multiplier", "scale_emb"}},
    {"residual_scale", Kind::Real, {"residual_multiplier"}},
    {"logit_scale", Kind::Real, {"logits_scaling", "logit_scale"}},
    {"embedding_length_per_layer_input", Kind::Count, {"hidden_size_per_layer_input"}},
    {"vocab_size", Kind::Count, {"vocab_size", "padded_vocab_size"}},
    {"use_parallel_residual", Kind::Flag, {"use_parallel_residual", "parallel_attn"}},
    {"expert_count", Kind::Count, {"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"}},
    {"expert_used_count", Kind::Count, {"num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_k"}},
    {"expert_group_count", Kind::Count, {"n_group"}},
    {"expert_group_used_count", Kind::Count, {"topk_group"}},
    {"expert_shared_count", Kind::Count, {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}},
    {"expert_shared_feed_forward_length",
     Kind::Count,
     {"shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size"}},
    {"expert_feed_forward_length", Kind::Count, {"moe_intermediate_size"}},
    {"expert_weights_scale", Kind::Real, {"routed_scaling_factor"}},
    {"expert_weights_norm", Kind::Flag, {"norm_topk_prob"}},
    {"leading_dense_block_count", Kind::Count, {"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}},
    {"interleave_moe_layer_step", Kind::Count, {"interleave_moe_layer_step", "moe_layer_interval"}},
    {"moe_latent_size", Kind::Count, {"moe_latent_size"}},
    {"full_attention_interval", Kind::Count, {"full_attention_interval"}},
    {"shortconv.l_cache", Kind::Count, {"conv_L_cache"}},
    {"wkv.head_size", Kind::Count, {"head_size"}},
    {"kda.head_dim", Kind::Count, {"kda_head_dim"}},
    {"ssm.conv_kernel", Kind::Count, {"mamba_d_conv", "linear_conv_kernel_dim", "conv_kernel", "d_conv"}},
    {"ssm.state_size", Kind::Count, {"mamba_d_state", "ssm_state_size", "linear_key_head_dim", "state_size", "d_state"}},
    {"ssm.group_count", Kind::Count, {"mamba_n_groups", "linear_num_key_heads", "n_groups"}},
    {"ssm.time_step_rank",
     Kind::Count,
     {"mamba_n_heads", "mamba_num_heads", "linear_num_value_heads", "time_step_rank", "mamba_dt_rank"}},
};

struct GatingName {
    std::string_view name;
    Gating gating;
};
constexpr GatingName gatings[] = {
    {"softmax", Gating::Softmax}, {"sigmoid", Gating::Sigmoid}, {"sqrtsoftplus", Gating::SqrtSoftplus}};

constexpr const char* letters = "hybrid_override_pattern"; // a letter for each layer (LayerList::Letters)

const Value* member(const ValueObject* object, std::string_view name) {
    const Value* const value = object ? object->find(name) : nullptr;
    return value && value->type != ValueType::Null ? value : nullptr;
}

Value count(std::uint64_t value) { return Value::ofUnsigned(value > 0xffff'ffff ? ValueType::U64 : ValueType::U32, value); }

Value typeList(ValueType type, const std::vector<std::uint64_t>& numbers) {
    ValueArray array;
    array.elementType = type;
    array.count = numbers.size();
    for (const std::uint64_t n : numbers) array.first.push_back(type == ValueType::Bool ? Value::of(n != 0) : count(n));
    return Value::of(std::move(array));
}

class ConfigReader {
public:
    ConfigReader(const ValueObject& config, const std::string& file) : m_root(config), m_out{{}, Hyperparameters(file), {}, {}} {
        for (const char* name : {"text_config", "llm_config", "lm_config", "language_config", "thinker_config", "lfm"})
            if (const Value* nested = member(&config, name); nested && nested->object() && !m_text) m_text = nested->object();
        if (const Value* inner = member(m_text, "text_config"); inner && inner->object()) m_text = inner->object();
    }

    Result<ConfigKeys> read();

private:
    const Value* find(std::string_view name) const {
        const Value* const value = member(m_text, name);
        return value ? value : member(&m_root, name);
    }
    std::uint64_t number(std::string_view name, std::uint64_t otherwise = 0) const {
        const Value* const value = find(name);
        return value ? std::min<std::uint64_t>(value->unsignedNumber().value_or(otherwise), maxWidth) : otherwise;
    }
    double real(const ValueObject* object, std::string_view name, double otherwise) const {
        const Value* const value = member(object, name);
        return value ? value->number().value_or(otherwise) : otherwise;
    }
    std::string text(std::string_view name) const {
        const Value* const value = find(name);
        return value && value->string() ? *value->string() : std::string{};
    }
    std::vector<std::string> strings(std::string_view name) const;
    std::uint64_t known(std::string_view key) const;
    std::size_t layers() const { return static_cast<std::size_t>(std::min(known("block_count"), maxLayers)); }
    void add(const char* key, Value value, const char* source) {
        if (!m_out.keys.has(key)) m_out.keys.add(key, std::move(value), source);
    }

    bool readFamily();
    void addAliases();
    void addBlockCount();
    void addHeadLengths();
    void addKeyHeads();
    void addDenseWidth();
    void addLatent();
    void addChannelDelta();
    void addWindows();
    void addIndexer();
    void addNgrams();
    void addLayerKinds();
    void addLayersByLetter();
    void addRotation();
    void addRope();
    void addScaling(const ValueObject& rope);
    void addAlpha();
    void addFactors(const ValueObject& rope, const std::string& type);
    void addStateSpace();
    void addFeedForward();
    void addGating();
    void addAttentionScale();
    void addDefaults();
    const ValueObject* ropeParameters(const char* kind) const;
    double rotatedPart(const char* kind) const;

    const ValueObject& m_root;
    const ValueObject* m_text = nullptr;
    const Family* m_family = nullptr;
    const ModelType* m_type = nullptr;
    ConfigKeys m_out;
};

std::vector<std::string> ConfigReader::strings(std::string_view name) const {
    std::vector<std::string> texts;
    const Value* const value = find(name);
    const ValueArray* const list = value ? value->array() : nullptr;
    for (std::size_t i = 0; list && i < list->first.size(); ++i)
        texts.push_back(list->first[i].string() ? *list->first[i].string() : std::string{});
    return texts;
}

std::uint64_t ConfigReader::known(std::string_view key) const {
    const Hyperparameter* const entry = m_out.keys.find(key);
    return entry ? entry->value.unsignedNumber().value_or(0) : 0;
}

bool ConfigReader::readFamily() {
    for (const ValueObject* object : {m_text, &m_root}) {
        const Value* const type = member(object, "model_type");
        if (m_family || !type || !type->string()) continue;
        const FoundModelType found = findModelType(*type->string());
        m_family = found.family;
        m_type = found.type;
    }
    if (!m_family) return false;
    if (!m_family->withExperts.empty() && text(letters).find('E') != std::string::npos)
        m_family = findFamily(m_family->withExperts);
    m_out.architecture = m_family->architecture;
    return true;
}

void ConfigReader::addBlockCount() {
    const Names names = {"n_layers", "num_hidden_layers", "n_layer", "num_layers"};
    for (const char* name : names) {
        const Value* const value = name ? find(name) : nullptr;
        if (!value || m_out.keys.has("block_count")) continue;
        const auto stored = value->unsignedNumber();
        const char* const member = find("mtp_num_hidden_layers") ? "mtp_num_hidden_layers" : "num_nextn_predict_layers";
        const std::uint64_t ahead = m_family->keepsPredictionLayers ? number(member) : 0;
        add("block_count", stored ? count(std::min(*stored, maxContext) + ahead) : *value, name);
        if (ahead > 0) add("nextn_predict_layers", count(ahead), member);
    }
}

void ConfigReader::addAliases() {
    for (const Alias& alias : aliases)
        for (const char* name : alias.names) {
            const Value* const value = name ? find(name) : nullptr;
            if (!value) continue;
            const auto number = alias.kind == Kind::Count ? value->unsignedNumber() : std::nullopt;
            if (number && *number > 0) add(alias.key, count(*number), name);
            else if (!number) add(alias.key, *value, name);
        }
}

// Layers without a window may have their own heads size: global_head_dim, or an entry for each such layer.
void ConfigReader::addHeadLengths() {
    const std::uint64_t head = number("head_dim");
    if (head == 0) return;
    std::uint64_t full = number("global_head_dim", head);
    const Value* const special = find("per_layer_config");
    if (const ValueObject* const object = special ? special->object() : nullptr; object && !object->members.empty()) {
        const Value* const length = member(object->members[0].value.object(), "head_dim");
        if (length) full = length->unsignedNumber().value_or(full);
    }
    add("attention.key_length", count(full), "head_dim");
    add("attention.value_length", count(full), "head_dim");
    if (!m_family->windowHeadLengths) return;
    add("attention.key_length_swa", count(head), "head_dim");
    add("attention.value_length_swa", count(head), "head_dim");
}

// Layers may have their own number of key heads: those without a window, or each in an entry under its number.
void ConfigReader::addKeyHeads() {
    const Value* const special = find("per_layer_config");
    const ValueObject* const entries = special ? special->object() : nullptr;
    const std::uint64_t full = m_family->windowHeadLengths ? number("num_global_key_value_heads") : 0;
    const std::vector<std::string> types = strings("layer_types");
    std::vector<std::uint64_t> heads(layers(), number("num_key_value_heads"));
    bool differs = false;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (full > 0 && i < types.size() && types[i] == "full_attention") heads[i] = full, differs = true;
        const Value* const entry = member(entries, std::to_string(i));
        const Value* const own = member(entry ? entry->object() : nullptr, "num_key_value_heads");
        if (!own) continue;
        heads[i] = own->unsignedNumber().value_or(heads[i]);
        differs = true;
    }
    if (differs) add("attention.head_count_kv", typeList(ValueType::U32, heads), "per_layer_config");
}

// Of layers without experts, where intermediate_size is that of the experts.
void ConfigReader::addDenseWidth() {
    if (!find("intermediate_size_mlp")) return;
    add("feed_forward_length", count(number("intermediate_size_mlp")), "intermediate_size_mlp");
    add("expert_feed_forward_length", count(number("intermediate_size")), "intermediate_size");
}

// Layers with a decay for each channel, unless listed among those that attend, which are counted from 1.
void ConfigReader::addChannelDelta() {
    const Value* const stated = find("linear_attn_config");
    const ValueObject* const delta = stated ? stated->object() : nullptr;
    const Value* const listed = member(delta, "full_attn_layers");
    const ValueArray* const full = listed ? listed->array() : nullptr;
    if (!full) return;
    std::vector<std::uint64_t> heads(layers());
    for (const Value& layer : full->first)
        if (const auto at = layer.unsignedNumber(); at && *at >= 1 && *at <= heads.size()) heads[*at - 1] = 1;
    add("attention.head_count_kv", typeList(ValueType::U32, heads), "linear_attn_config");
    const auto copy = [&](const char* key, const char* name) {
        const Value* const value = member(delta, name);
        if (const auto number = value ? value->unsignedNumber() : std::nullopt) add(key, count(*number), "linear_attn_config");
    };
    copy("kda.head_dim", "head_dim");
    copy("ssm.conv_kernel", "short_conv_kernel_size");
}

void ConfigReader::addLatent() {
    const std::uint64_t rank = number("kv_lora_rank");
    if (rank == 0) return;
    const std::uint64_t rotated = number("qk_rope_head_dim");
    add("attention.head_count_kv", count(1), "kv_lora_rank");
    add("attention.key_length", count(rank + rotated), "kv_lora_rank");
    add("attention.value_length", count(rank), "kv_lora_rank");
    add("attention.key_length_mla", count(number("qk_nope_head_dim") + rotated), "qk_nope_head_dim");
    add("attention.value_length_mla", count(number("v_head_dim")), "v_head_dim");
    add("rope.dimension_count", count(rotated), "qk_rope_head_dim");
}

void ConfigReader::addWindows() {
    std::vector<std::uint64_t> windowed, recurrent;
    bool hasWindow = false, hasRecurrent = false;
    for (const std::string& type : strings("layer_types")) {
        windowed.push_back(type == "sliding_attention" || type == "chunked_attention");
        recurrent.push_back(type == "linear_attention");
        hasWindow |= windowed.back() != 0;
        hasRecurrent |= recurrent.back() != 0;
    }
    if (hasWindow) add("attention.sliding_window_pattern", typeList(ValueType::Bool, windowed), "layer_types");
    recurrent.resize(std::max(recurrent.size(), layers())); // layers that predict ahead do not recur
    if (hasRecurrent) add("attention.recurrent_layers", typeList(ValueType::Bool, recurrent), "layer_types");
    for (const char* name : {"sliding_window_pattern", "_sliding_window_pattern"})
        if (windowed.empty() && number(name) > 0) add("attention.sliding_window_pattern", count(number(name)), name);
    if (windowed.empty() && m_type->windowPeriod > 0)
        add("attention.sliding_window_pattern", count(m_type->windowPeriod), "model_type");
}

// Layers that convolve or scan instead of attending have no KV heads.
void ConfigReader::addLayerKinds() {
    if (m_family->layerList == LayerList::Letters) return addLayersByLetter();
    std::vector<std::string> types = strings("layer_types");
    if (types.empty()) types = strings("layers_block_type");
    const bool isHybrid = std::ranges::any_of(types, [](const std::string& t) { return t == "mamba" || t == "conv"; });
    if (!isHybrid && (types.empty() || number("mamba_n_heads") == 0)) return; // a hybrid may attend in all its layers
    std::vector<std::uint64_t> heads;
    for (const std::string& type : types) heads.push_back(type == "mamba" || type == "conv" ? 0 : number("num_key_value_heads"));
    add("attention.head_count_kv", typeList(ValueType::U32, heads), "layer_types");
}

void ConfigReader::addLayersByLetter() {
    std::vector<std::uint64_t> heads, widths;
    for (const char kind : text(letters)) {
        heads.push_back(kind == '*' ? number("num_key_value_heads") : 0);
        widths.push_back(kind == '-' ? number("intermediate_size") : kind == 'E' ? number("moe_intermediate_size") : 0);
    }
    add("attention.head_count_kv", typeList(ValueType::U32, heads), letters);
    add("feed_forward_length", typeList(ValueType::U32, widths), letters);
}

// transformers 5 calls it rope_parameters, with one object for each kind of layer where they differ.
const ValueObject* ConfigReader::ropeParameters(const char* kind) const {
    const Value* const value = find("rope_parameters");
    const ValueObject* const all = value ? value->object() : nullptr;
    const Value* const ofKind = member(all, kind);
    if (ofKind && ofKind->object()) return ofKind->object();
    if (all) return all;
    const Value* const old = find("rope_scaling");
    return old ? old->object() : nullptr;
}

double ConfigReader::rotatedPart(const char* kind) const {
    for (const char* name : {"partial_rotary_factor", "rotary_pct", "rope_pct"}) {
        const double part = real(ropeParameters(kind), name, find(name) ? find(name)->number().value_or(1) : -1);
        if (part > 0 && part <= 1) return part;
    }
    return 1;
}

void ConfigReader::addRotation() {
    const std::uint64_t heads = known("attention.head_count");
    const std::uint64_t usual = heads > 0 ? known("embedding_length") / heads : 0;
    const std::uint64_t length = known("attention.key_length") > 0 ? known("attention.key_length") : usual;
    // With proportional factors a whole head is rotated, most of it by an angle of 0.
    if (m_out.factors.rotatedPart > 0) {
        add("rope.dimension_count", count(length), "head_dim");
        const double part = rotatedPart("sliding_attention");
        add("rope.dimension_count_swa", count(static_cast<std::uint64_t>(part * static_cast<double>(number("head_dim")))),
            "head_dim");
        return;
    }
    const auto rotated = static_cast<std::uint64_t>(rotatedPart("full_attention") * static_cast<double>(length));
    if (rotated > 0) add("rope.dimension_count", count(rotated), "partial_rotary_factor");
}

void ConfigReader::addFactors(const ValueObject& rope, const std::string& type) {
    RopeFactors& factors = m_out.factors;
    factors.llama3 = type == "llama3";
    factors.factor = static_cast<float>(real(&rope, "factor", 8));
    factors.lowFrequencyFactor = static_cast<float>(real(&rope, "low_freq_factor", 1));
    factors.highFrequencyFactor = static_cast<float>(real(&rope, "high_freq_factor", 4));
    const Value* const original = member(&rope, "original_max_position_embeddings");
    if (original) factors.originalContext = original->unsignedNumber().value_or(8192);
    for (auto [name, into] : {std::pair("short_factor", &factors.shortFactors), std::pair("long_factor", &factors.longFactors)}) {
        const Value* const value = member(&rope, name);
        const ValueArray* const list = value ? value->array() : nullptr;
        for (std::size_t i = 0; list && i < list->first.size(); ++i)
            into->push_back(static_cast<float>(list->first[i].number().value_or(1)));
    }
    if (type == "proportional") factors.rotatedPart = static_cast<float>(real(&rope, "partial_rotary_factor", 1));
}

// Phi-3 stretches the scores with the context (docs/reference/conversion.md, "config.json → KV").
float longRopeAttention(double context, double original) {
    const double scale = original > 0 ? context / original : 1;
    return scale <= 1 ? 1.0F : static_cast<float>(std::sqrt(1 + std::log(scale) / std::log(original)));
}

void ConfigReader::addScaling(const ValueObject& rope) {
    const Value* kind = member(&rope, "rope_type");
    if (!kind) kind = member(&rope, "type");
    const std::string type = kind && kind->string() ? *kind->string() : "";
    addFactors(rope, type);
    const Value* original = member(&rope, "original_max_position_embeddings");
    if (!original) original = find("original_max_position_embeddings");
    if (type == "longrope" || type == "su") {
        m_out.keys.add("rope.scaling.type", Value::of(std::string("longrope")), "rope_type");
        const double from = original ? original->number().value_or(0) : 0;
        const float attention = longRopeAttention(static_cast<double>(known("context_length")), from);
        if (attention != 1) add("rope.scaling.attn_factor", Value::ofFloat(ValueType::F32, attention), "rope_scaling");
    }
    if (type != "linear" && type != "yarn") return;
    add("rope.scaling.type", Value::of(type), "rope_type");
    const auto copy = [&](const char* key, const char* name) {
        if (const Value* const value = member(&rope, name)) add(key, *value, name);
    };
    copy("rope.scaling.factor", "factor");
    if (type != "yarn") return;
    copy("rope.scaling.original_context_length", "original_max_position_embeddings");
    copy("rope.scaling.yarn_ext_factor", "extrapolation_factor");
    copy("rope.scaling.yarn_attn_factor", "attention_factor");
    copy("rope.scaling.yarn_attn_factor", "attn_factor");
    copy("rope.scaling.yarn_beta_fast", "beta_fast");
    copy("rope.scaling.yarn_beta_slow", "beta_slow");
    copy("attention.temperature_scale", "llama_4_scaling_beta");
    const double all = real(&rope, "mscale_all_dim", 0) * m_family->yarnLogFactor;
    if (all != 0) add("rope.scaling.yarn_log_multiplier", Value::ofFloat(ValueType::F32, all), "mscale_all_dim");
}

// A base that grows with alpha, for more tokens than the member of their number states (docs/reference/conversion.md, "Recipes").
void ConfigReader::addAlpha() {
    const ValueObject* const rope = ropeParameters("full_attention");
    const double alpha = real(rope, "alpha", 0), length = static_cast<double>(number("head_dim"));
    if (alpha <= 0 || length <= 2) return;
    const double base = real(rope, "rope_theta", find("rope_theta") ? find("rope_theta")->number().value_or(10000) : 10000);
    add("rope.freq_base", Value::ofFloat(ValueType::F32, base * std::pow(alpha, length / (length - 2))), "alpha");
    add("rope.scaling.type", Value::of(std::string("none")), "alpha");
    add("rope.scaling.original_context_length", count(alphaContext), "alpha");
    add("context_length", count(alphaContext), "alpha");
}

void ConfigReader::addRope() {
    const ValueObject* const full = ropeParameters("full_attention");
    const ValueObject* const windowed = ropeParameters("sliding_attention");
    const auto addBase = [&](const char* key, const ValueObject* object, std::initializer_list<const char*> names) {
        if (const Value* const theta = member(object, "rope_theta")) return add(key, *theta, "rope_theta");
        for (const char* name : names)
            if (const Value* const value = find(name)) return add(key, *value, name);
    };
    addBase("rope.freq_base", full,
            {"global_rope_theta", "rope_global_theta", "rope_theta_global", "rope_theta", "rotary_emb_base"});
    addBase("rope.freq_base_swa", windowed == full ? nullptr : windowed,
            {"local_rope_theta", "rope_local_theta", "rope_theta_local", "swa_rope_theta", "rope_local_base_freq"});
    if (full) addScaling(*full);
    if (const Value* const section = member(full, "mrope_section")) add("rope.dimension_sections", *section, "mrope_section");
    if (const Value* const rotated = find("no_rope_layers"); rotated && rotated->array() && rotated->array()->count > 0)
        add("attention.rope_pattern", *rotated, "no_rope_layers");
    if (const Value* const original = find("original_max_position_embeddings"))
        add("rope.scaling.original_context_length", *original, "original_max_position_embeddings");
    if (text("position_embedding_type") == "nope") add("rope.scaling.finetuned", Value::of(false), "position_embedding_type");
}

void ConfigReader::addStateSpace() {
    std::uint64_t inner = number("mamba_d_ssm");
    if (inner == 0) inner = number("mamba_n_heads") * number("mamba_d_head");
    if (inner == 0) inner = number("mamba_num_heads") * number("mamba_head_dim");
    if (inner == 0) inner = number("linear_num_value_heads") * number("linear_value_head_dim");
    if (inner == 0) inner = number("mamba_expand") * known("embedding_length");
    if (inner == 0 && m_out.keys.has("ssm.state_size")) inner = number("expand", 2) * known("embedding_length");
    if (inner > 0) add("ssm.inner_size", count(inner), "mamba_expand");
}

// The layers with an indexer, or the number of tokens for each of its keys.
void ConfigReader::addIndexer() {
    std::vector<std::uint64_t> full, ratios;
    for (const std::string& type : strings("indexer_types")) full.push_back(type == "full");
    if (!full.empty()) add("attention.indexer.types", typeList(ValueType::Bool, full), "indexer_types");
    const std::uint64_t ratio = number("indexer_compress_ratio");
    for (const std::string& type : strings("layer_types")) ratios.push_back(type == "linear_attention" ? 0 : ratio);
    ratios.resize(std::max(ratios.size(), layers()));
    if (ratio > 0) add("attention.compress_ratios", typeList(ValueType::U32, ratios), "indexer_compress_ratio");
}

// The hashes follow from the config's seed; only converters compute them.
void ConfigReader::addNgrams() {
    const Value* const stated = find("ple_layer_ids");
    const ValueArray* const ids = stated ? stated->array() : nullptr;
    const std::uint64_t heads = (std::max<std::uint64_t>(number("ngram_size"), 1) - 1) * number("heads_per_ngram");
    if (!ids || ids->first.empty() || heads == 0) return;
    std::vector<std::uint64_t> counted; // from 0
    for (const Value& id : ids->first) counted.push_back(std::max<std::uint64_t>(id.unsignedNumber().value_or(1), 1) - 1);
    add("ple.layers", typeList(ValueType::U32, counted), "ple_layer_ids");
    add("ple.eos_token_id", count(number("eos_token_id")), "eos_token_id");
    add("embedding_length_per_layer_input", count(number("ple_embed_dim", known("embedding_length")) / heads), "ple_embed_dim");
}

void ConfigReader::addFeedForward() {
    if (m_family->fourfoldFeedForward) add("feed_forward_length", count(4 * known("embedding_length")), "n_embd");
}

void ConfigReader::addGating() {
    for (const char* name : {"score_function", "scoring_func", "score_func", "moe_router_activation", "moe_router_activation_func",
                             "expert_selection_fn"}) {
        const auto* const found = std::ranges::find(gatings, text(name), &GatingName::name);
        if (found != std::end(gatings)) add("expert_gating_func", count(static_cast<std::uint64_t>(found->gating)), name);
    }
}

// query_pre_attn_scalar is stated always, but matters only where it is not the length of a head.
void ConfigReader::addAttentionScale() {
    const std::uint64_t scalar = number("query_pre_attn_scalar");
    if (scalar == 0 || scalar == known("attention.key_length")) return;
    add("attention.scale", Value::ofFloat(ValueType::F32, 1 / std::sqrt(static_cast<double>(scalar))), "query_pre_attn_scalar");
}

void ConfigReader::addDefaults() {
    for (const KeyDefault& row : m_family->keyDefaults) add(row.key, count(row.value), row.key);
}

Result<ConfigKeys> ConfigReader::read() {
    if (!readFamily())
        return fail(ErrorCode::Unsupported, Reason("arch.unknown_family"),
                    WB_TEXT("{} describes a model of type \"{}\", which is not supported."), m_out.keys.file(), text("model_type"));
    addBlockCount();
    addChannelDelta();
    addLatent();
    addHeadLengths();
    addKeyHeads();
    addDenseWidth();
    addLayerKinds();
    addAlpha();
    addAliases();
    addDefaults();
    addWindows();
    addIndexer();
    addNgrams();
    addRope();
    addRotation();
    addStateSpace();
    addFeedForward();
    addGating();
    addAttentionScale();
    if (const Value* const tied = find("tie_word_embeddings"); tied && std::get_if<bool>(&tied->data))
        m_out.tied = std::get<bool>(tied->data);
    return std::move(m_out);
}

} // namespace

Result<ConfigKeys> keysOfConfig(const ValueObject& config, const std::string& file) { return ConfigReader(config, file).read(); }

} // namespace wb::arch
