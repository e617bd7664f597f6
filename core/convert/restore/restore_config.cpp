// SPDX-License-Identifier: MIT
#include "core/convert/restore/restore_folder.h"
#include "core/arch/config_keys.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/formats/gguf/gguf.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace wb::convert {
namespace {

// The member that folders of today have if a rule knows several.
constexpr arch::MemberName usualMembers[] = {
    {"block_count", "num_hidden_layers"},
    {"context_length", "max_position_embeddings"},
    {"feed_forward_length", "intermediate_size"},
};

std::string jsonFromText(std::string_view text) {
    std::string json;
    JsonWriter out([&json](std::string_view part) { json += part; });
    out.string(text);
    out.finish();
    json.pop_back(); // the writer's line break
    return json;
}

std::string valuesList(std::span<const float> values) {
    std::string json = "[";
    for (const float value : values) json += (json.size() == 1 ? "" : ", ") + shortest(value);
    return json + "]";
}

class ConfigRestorer {
public:
    explicit ConfigRestorer(const RestoreContext& context) : m_context(context), m_rules(context.rules), m_spec(context.spec) {}

    Result<std::vector<ConfigMember>> run() {
        if (m_rules.modelType.empty())
            return fail(ErrorCode::Unsupported, Reason("convert.no_model_type"), About{std::string(m_context.family.architecture)},
                        WB_TEXT("The architecture {} cannot be converted to a Hugging Face folder yet."),
                        m_context.family.architecture);
        known("architectures", "[" + jsonFromText(m_rules.classes[0]) + "]");
        known("model_type", jsonFromText(m_rules.modelType));
        for (const KeyRule& rule : m_rules.keys) WB_TRY(add(rule));
        for (const KeyRule& rule : m_rules.ownKeys) WB_TRY(add(rule));
        for (const KeyRule& rule : m_rules.tokenizerKeys)
            if (rule.kind == Kind::Number) WB_TRY(add(rule));
        addVocabulary();
        addSpecialIds();
        addGuesses();
        return std::move(m_members);
    }

private:
    using Kind = KeyKind;

    void known(std::string_view key, std::string json) { put(key, std::move(json), false); }
    void guessed(std::string_view key, std::string json) { put(key, std::move(json), true); }
    void put(std::string_view key, std::string json, bool isGuessed) {
        if (std::ranges::find(m_members, key, &ConfigMember::key) == m_members.end())
            m_members.push_back({std::string(key), std::move(json), isGuessed});
    }

    std::string key(std::string_view suffix) const {
        return suffix.starts_with("tokenizer.") ? std::string(suffix) : fmt::format("{}.{}", m_context.family.architecture, suffix);
    }
    const Value* find(std::string_view suffix) const { return m_context.model.metadata.find(key(suffix)); }
    std::optional<double> number(std::string_view suffix) const {
        const Value* const value = find(suffix);
        return value ? value->number() : std::nullopt;
    }
    static std::string whole(double value) { return fmt::format("{}", static_cast<std::uint64_t>(value)); }
    static std::string real(double value) { return shortest(static_cast<float>(value)); }

    std::string_view ruleMember(const KeyRule& rule) const {
        for (const arch::MemberName& name : m_rules.members)
            if (name.key == rule.key) return name.member;
        for (const arch::MemberName& name : usualMembers)
            if (name.key == rule.key && std::ranges::find(rule.members, name.member) != std::end(rule.members)) return name.member;
        return rule.members[0];
    }

    Result<void> add(const KeyRule& rule) {
        switch (rule.kind) {
        case Kind::Number:
        case Kind::Prediction:
            if (const auto value = number(rule.key); value && !ruleMember(rule).empty()) known(ruleMember(rule), whole(*value));
            return {};
        case Kind::Float:
            if (const auto value = number(rule.key); value && !ruleMember(rule).empty()) known(ruleMember(rule), real(*value));
            return {};
        case Kind::Truth:
            if (const Value* const value = find(rule.key); value && !ruleMember(rule).empty())
                if (const bool* const truth = std::get_if<bool>(&value->data)) known(ruleMember(rule), *truth ? "true" : "false");
            return {};
        case Kind::RopeScaling: addBase(); return addScaling();
        case Kind::RopeBase: addBase(); return {};
        case Kind::RopeFloat: addOfRope(rule); return {};
        case Kind::HeadLength: addStatedHeadLength(); return {};
        case Kind::RopeLength: addHeadLength(); return {};
        case Kind::RopePart: addPart(rule); return {};
        case Kind::BlockCount: known("num_hidden_layers", whole(static_cast<double>(m_spec.trunkLayers()))); return {};
        case Kind::WindowPattern: return addWindowPattern(rule);
        case Kind::LongRopeFactor: return addLongRope();
        case Kind::HeadLengthsByWindow: addHeadLengths(); return {};
        case Kind::FeedForwardByLayer: return addFeedForward();
        case Kind::KeyHeadsByLayer: addLayerKinds(); return {};
        case Kind::LatentLengths:
        case Kind::LatentKeyLengths: addLatentLengths(); return {};
        case Kind::Gating: addGating(rule); return {};
        case Kind::NestedCount: addNestedCount(rule); return {};
        case Kind::RecurrentByLayer: addRecurrentLayers(); return {};
        case Kind::InnerLength: addInnerLength(rule); return {};
        case Kind::StateRotation: addStateRotation(rule); return {};
        case Kind::AlphaRope: addAlphaRope(); return {};
        case Kind::IndexerByLayer: return addIndexers(rule);
        case Kind::RatioByLayer: addRatio(rule); return {};
        case Kind::LayerNumbers: return addLayerNumbers(rule);
        case Kind::NgramWidth: addNgramWidth(rule); return {};
        default: return {};
        }
    }

    // With latent attention it is that of the rotated part, and of no account but that the keys come where it is stated.
    void addStatedHeadLength() {
        const auto value = number("attention.key_length");
        if (!value || find("attention.key_length_swa")) return;
        if (m_spec.latent.keyValueRank == 0) return known("head_dim", whole(*value));
        const auto& members = m_context.model.metadata.members;
        const auto stated = std::ranges::find(members, key("attention.key_length"), &Member::key);
        const auto type = std::ranges::find(members, "general.file_type", &Member::key);
        const auto rotated = number("rope.dimension_count");
        if (stated < type && rotated) known("head_dim", whole(*rotated));
    }

    // The rotated length says the head's where nothing else does.
    void addHeadLength() {
        const auto length = number("rope.dimension_count");
        if (length && m_spec.headCount > 0 && *length * static_cast<double>(m_spec.headCount) != static_cast<double>(m_spec.width))
            known("head_dim", whole(*length));
    }

    void addBase() {
        const auto base = number("rope.freq_base"), windowed = number("rope.freq_base_swa");
        if (base) known("rope_theta", real(*base));
        if (windowed) known("rope_local_base_freq", real(*windowed));
    }

    void addOfRope(const KeyRule& rule) {
        const auto value = number(rule.key);
        const bool isScaled = rule.key == "rope.scaling.yarn_log_multiplier";
        if (value) m_rope.emplace_back(rule.members[0], real(isScaled ? *value / m_context.family.yarnLogFactor : *value));
        writeRope();
    }

    void writeRope() {
        const auto known = std::ranges::find(m_members, std::string_view("rope_scaling"), &ConfigMember::key);
        if (known != m_members.end()) m_members.erase(known);
        std::string json = "{";
        for (const auto& [name, value] : m_rope) json += (json.size() == 1 ? "" : ", ") + jsonFromText(name) + ": " + value;
        if (!m_rope.empty()) this->known("rope_scaling", json + "}");
    }

    Result<void> addScaling() {
        const Value* const type = find("rope.scaling.type");
        const auto factor = number("rope.scaling.factor");
        if (type && type->string() && factor && *type->string() != "none") {
            m_rope = {{"rope_type", jsonFromText(*type->string())}, {"factor", real(*factor)}};
            constexpr std::pair<const char*, const char*> members[] = {
                {"extrapolation_factor", "rope.scaling.yarn_ext_factor"},
                {"attention_factor", "rope.scaling.yarn_attn_factor"},
                {"beta_fast", "rope.scaling.yarn_beta_fast"},
                {"beta_slow", "rope.scaling.yarn_beta_slow"},
            };
            if (const auto original = number("rope.scaling.original_context_length"))
                m_rope.emplace_back("original_max_position_embeddings", whole(*original));
            for (const auto& [member, suffix] : members)
                if (const auto value = number(suffix)) m_rope.emplace_back(member, real(*value));
        }
        WB_TRY(addLlama3());
        WB_TRY(addSections());
        writeRope();
        return {};
    }

    Result<void> addSections() {
        const Value* const sections = find("rope.dimension_sections");
        if (!sections || !sections->array()) return {};
        WB_TRY_ASSIGN(const auto numbers, gguf::readArray(m_context.model, key("rope.dimension_sections"), 0,
                                                          std::min<std::uint64_t>(sections->array()->count, 4)));
        std::string json = "[";
        for (const Value& number : numbers) // the fourth one is for padding
            if (json.size() < 2 || number.unsignedNumber().value_or(0) > 0)
                json += (json.size() == 1 ? "" : ", ") + fmt::format("{}", number.unsignedNumber().value_or(0));
        if (m_rope.empty()) m_rope.emplace_back("rope_type", jsonFromText("default"));
        if (m_context.family.rope == arch::RopeStyle::InterleavedSections) m_rope.emplace_back("mrope_interleaved", "true");
        m_rope.emplace_back("mrope_section", json + "]");
        return {};
    }

    // Of a list with an entry for each layer.
    template <typename Text>
    std::string layerList(const Text& text) const {
        std::string json = "[";
        for (const arch::LayerSpec& layer : m_spec.layers) json += (json.size() == 1 ? "" : ", ") + text(layer);
        return json + "]";
    }

    // Layers without heads of keys convolve or scan; others have more heads where they have no window.
    void addLayerKinds() {
        using enum arch::Recurrence;
        std::uint64_t windowed = 0, full = 0;
        for (const arch::LayerSpec& layer : m_spec.layers)
            (layer.window > 0 ? windowed : full) = std::max(layer.kvHeads, layer.window > 0 ? windowed : full);
        if (m_spec.recurrent.kind == Kda) return addChannelDelta();
        if (m_spec.recurrent.kind == None && !find("attention.head_count_kv")) return;
        if (m_spec.recurrent.kind == None && !find("attention.head_count_kv")->array()) return;
        known("num_key_value_heads", whole(static_cast<double>(windowed > 0 ? windowed : full)));
        if (windowed > 0) return known("num_global_key_value_heads", whole(static_cast<double>(full)));
        if (m_context.family.layerList == arch::LayerList::Letters) return addLetters();
        const bool isMamba = m_spec.recurrent.kind == Mamba2;
        const auto kind = [isMamba](const arch::LayerSpec& layer) -> std::string {
            if (!layer.hasAttention()) return jsonFromText(isMamba ? "mamba" : "conv");
            return jsonFromText(isMamba ? "attention" : "full_attention");
        };
        known("layer_types", layerList(kind));
    }

    void addLetters() {
        std::string letters;
        std::uint64_t dense = 0, expert = 0;
        for (const arch::LayerSpec& layer : m_spec.layers) {
            letters += layer.hasAttention() ? '*' : layer.expertsUsed > 0 ? 'E' : layer.feedForward > 0 ? '-' : 'M';
            dense = std::max(dense, layer.feedForward);
            expert = std::max(expert, layer.expertWidth);
        }
        known("hybrid_override_pattern", jsonFromText(letters));
        if (dense > 0) known("intermediate_size", whole(static_cast<double>(dense)));
        else guessed("intermediate_size", whole(static_cast<double>(expert)));
    }

    // Layers are counted from 1.
    void addChannelDelta() {
        std::string full, delta;
        for (std::size_t i = 0; i < m_spec.layers.size(); ++i) {
            std::string& list = m_spec.layers[i].hasAttention() ? full : delta;
            list += (list.empty() ? "" : ", ") + fmt::format("{}", i + 1);
        }
        known("linear_attn_config",
              fmt::format(R"({{"full_attn_layers": [{}], "kda_layers": [{}], "head_dim": {}, "num_heads": {}, )"
                          R"("short_conv_kernel_size": {}}})",
                          full, delta, m_spec.recurrent.headLength, m_spec.headCount, m_spec.recurrent.convolution));
    }

    void addInnerLength(const KeyRule& rule) {
        const arch::RecurrentSpec& recurrent = m_spec.recurrent;
        if (recurrent.steps > 0) known(rule.members[0], whole(static_cast<double>(recurrent.inner / recurrent.steps)));
        if (!rule.members[1].empty() && m_spec.width > 0 && recurrent.inner % m_spec.width == 0)
            known(rule.members[1], whole(static_cast<double>(recurrent.inner / m_spec.width)));
    }

    void addStateRotation(const KeyRule& rule) {
        const Value* const rotates = find(rule.key);
        const bool* const value = rotates ? std::get_if<bool>(&rotates->data) : nullptr;
        if (value && !rule.members[0].empty()) known(rule.members[0], jsonFromText(*value ? "rope" : "nope"));
    }

    // The alpha of the usual base whose rotation is the file's.
    void addAlphaRope() {
        constexpr double usual = 10000;
        const auto base = number("rope.freq_base"), context = number("rope.scaling.original_context_length");
        const double length = number("attention.key_length").value_or(0);
        if (!base || !context || *context != arch::alphaContext || length <= 2 || *base <= usual) return;
        const double alpha = std::pow(*base / usual, (length - 2) / length), rounded = std::round(alpha);
        const auto scaled = static_cast<float>(usual * std::pow(rounded, length / (length - 2)));
        std::erase_if(m_members, [](const ConfigMember& member) { return member.key == "rope_theta"; });
        known("rope_theta", real(usual));
        m_rope = {{"rope_type", jsonFromText("dynamic")},
                  {"alpha", shortest(scaled == static_cast<float>(*base) ? rounded : alpha)},
                  {"factor", real(1)}};
        writeRope();
    }

    Result<void> addIndexers(const KeyRule& rule) {
        const Value* const listed = find(rule.key);
        if (!listed || !listed->array()) return {};
        WB_TRY_ASSIGN(const auto kinds, gguf::readArray(m_context.model, key(rule.key), 0, listed->array()->count));
        std::string json = "[";
        for (const Value& kind : kinds) {
            const bool* const full = std::get_if<bool>(&kind.data);
            json += (json.size() == 1 ? "" : ", ") + jsonFromText(full && *full ? "full" : "shared");
        }
        known(rule.members[0], json + "]");
        return {};
    }

    void addRatio(const KeyRule& rule) {
        const Value* const listed = find(rule.key);
        std::uint64_t ratio = 0;
        if (const ValueArray* const list = listed ? listed->array() : nullptr)
            for (const Value& value : list->first) ratio = std::max(ratio, value.unsignedNumber().value_or(0));
        if (ratio > 0) known(rule.members[0], whole(static_cast<double>(ratio)));
    }

    // From 1 on.
    Result<void> addLayerNumbers(const KeyRule& rule) {
        const Value* const listed = find(rule.key);
        if (!listed || !listed->array()) return {};
        WB_TRY_ASSIGN(const auto layers,
                      gguf::readArray(m_context.model, key(rule.key), 0, std::min(listed->array()->count, arch::maxLayers)));
        std::string json = "[";
        for (const Value& layer : layers)
            json += (json.size() == 1 ? "" : ", ") + fmt::format("{}", layer.unsignedNumber().value_or(0) + 1);
        known(rule.members[0], json + "]");
        return {};
    }

    void addNgramWidth(const KeyRule& rule) {
        const auto width = number(rule.key), heads = number("ple.heads_per_ngram"), size = number("ple.ngram_size");
        if (width && heads && size && *size > 1) known(rule.members[0], whole(*width * *heads * (*size - 1)));
    }

    void addLatentLengths() {
        const auto rotated = number("rope.dimension_count"), keys = number("attention.key_length_mla"),
                   values = number("attention.value_length_mla");
        if (keys && rotated && *keys >= *rotated) known("qk_nope_head_dim", whole(*keys - *rotated));
        if (values) known("v_head_dim", whole(*values));
        known("num_key_value_heads", whole(static_cast<double>(m_spec.headCount)));
    }

    // Unless the converter always writes it for this class.
    void addGating(const KeyRule& rule) {
        const auto gating = number(rule.key);
        std::string_view member = rule.members[1];
        for (const arch::MemberName& name : m_rules.members)
            if (name.key == rule.key) member = name.member;
        if (!gating || std::ranges::find(m_rules.ownKeys, rule.key, &KeyRule::key) != m_rules.ownKeys.end()) return;
        if (*gating == static_cast<double>(arch::Gating::Sigmoid)) known(member, jsonFromText("sigmoid"));
        if (*gating == static_cast<double>(arch::Gating::Softmax)) known(member, jsonFromText("softmax"));
    }

    // An object with a list of so many numbers.
    void addNestedCount(const KeyRule& rule) {
        const auto count = number(rule.key);
        std::string json;
        for (std::uint64_t i = 0; count && i < static_cast<std::uint64_t>(std::min(*count, 512.0)); ++i)
            json += (i == 0 ? "" : ", ") + fmt::format("{}", i);
        if (count) known(rule.members[0], fmt::format("{{{}: [{}]}}", jsonFromText(rule.members[1]), json));
    }

    void addRecurrentLayers() {
        std::string json = "[";
        for (std::size_t i = 0; i < m_spec.trunkLayers(); ++i) {
            const bool recurs = m_spec.layers[i].recurrence != arch::Recurrence::None;
            json += (i == 0 ? "" : ", ") + jsonFromText(recurs ? "linear_attention" : "full_attention");
        }
        known("layer_types", json + "]");
    }

    Result<std::vector<float>> valuesFromName(std::string_view name) const {
        const TensorInfo* const tensor = m_context.tensor(name);
        if (!tensor || tensor->shape.elements() > 1 << 16) return std::vector<float>();
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(m_context.model, *tensor));
        std::vector<float> values(tensor->shape.elements());
        std::vector<std::byte> scratch;
        WB_TRY(reader.readF32(0, values, scratch));
        return values;
    }

    // The factors are in a tensor; what they were computed from follows from the largest one and from one between (with the usual
    // low and high factors 1 and 4).
    Result<void> addLlama3() {
        if (m_rules.tensorRopeType != "llama3") return {};
        WB_TRY_ASSIGN(const std::vector<float> factors, valuesFromName("rope_freqs.weight"));
        if (factors.empty()) return {};
        constexpr double low = 1, high = 4;
        const double factor = *std::ranges::max_element(factors);
        double original = 8192;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (factors[i] <= 1 || factors[i] >= factor) continue;
            const double smooth = (1.0 / factors[i] - 1 / factor) / (1 - 1 / factor);
            const double wave = 2 * std::numbers::pi *
                                std::pow(static_cast<double>(m_spec.layers.front().ropeBase),
                                         static_cast<double>(i) / static_cast<double>(factors.size()));
            original = std::round(wave * (smooth * (high - low) + low));
            break;
        }
        m_rope = {{"rope_type", jsonFromText("llama3")},
                  {"factor", real(factor)},
                  {"low_freq_factor", real(low)},
                  {"high_freq_factor", real(high)},
                  {"original_max_position_embeddings", whole(original)}};
        return {};
    }

    Result<void> addLongRope() {
        WB_TRY_ASSIGN(const std::vector<float> longFactors, valuesFromName("rope_factors_long.weight"));
        WB_TRY_ASSIGN(const std::vector<float> shortFactors, valuesFromName("rope_factors_short.weight"));
        if (longFactors.empty() || shortFactors.empty()) return {};
        m_rope = {{"type", jsonFromText("longrope")},
                  {"long_factor", valuesList(longFactors)},
                  {"short_factor", valuesList(shortFactors)}};
        writeRope();
        return {};
    }

    // The shortest part that gives the rotated length again.
    void addPart(const KeyRule& rule) {
        const auto rotated = number("rope.dimension_count");
        const auto layer = std::ranges::find_if(m_spec.layers, &arch::LayerSpec::hasAttention);
        const std::uint64_t head = layer == m_spec.layers.end() ? 0 : layer->keyLength;
        if (!rotated || head == 0) return;
        const double part = *rotated / static_cast<double>(head);
        if (part != 1 || !rule.fallback || *rule.fallback != 1) known(rule.members[0], shortest(part));
    }

    Result<void> addWindowPattern(const KeyRule& rule) {
        const Value* const pattern = find(rule.key);
        if (!pattern || !pattern->array()) return {};
        WB_TRY_ASSIGN(const auto kinds, gguf::readArray(m_context.model, key(rule.key), 0, pattern->array()->count));
        std::string json = "[";
        for (const Value& kind : kinds) {
            const bool* const windowed = std::get_if<bool>(&kind.data);
            json += (json.size() == 1 ? "" : ", ") + jsonFromText(windowed && *windowed ? "sliding_attention" : "full_attention");
        }
        known("layer_types", json + "]");
        return {};
    }

    // Heads of the layers without a window have their own length.
    void addHeadLengths() {
        const auto full = number("attention.key_length"), windowed = number("attention.key_length_swa");
        if (windowed) known("head_dim", whole(*windowed));
        if (full) known("global_head_dim", whole(*full));
        const auto base = number("rope.freq_base"), windowedBase = number("rope.freq_base_swa");
        if (base && windowedBase)
            known("rope_parameters",
                  fmt::format(
                      R"({{"full_attention": {{"partial_rotary_factor": {}, "rope_theta": {}, "rope_type": "proportional"}}, )"
                      R"("sliding_attention": {{"rope_theta": {}, "rope_type": "default"}}}})",
                      shortest(rotatedPart()), real(*base), real(*windowedBase)));
    }

    double rotatedPart() const {
        const auto factors = valuesFromName("rope_freqs.weight");
        if (!factors || factors->empty()) return 1;
        return static_cast<double>(std::ranges::count(*factors, 1.0F)) / static_cast<double>(factors->size());
    }

    Result<void> addFeedForward() {
        if (m_context.family.layerList == arch::LayerList::Letters) return {};
        if (find("feed_forward_length") && find("feed_forward_length")->array() && !m_spec.layers.empty()) {
            known("intermediate_size", whole(static_cast<double>(m_spec.layers.front().feedForward)));
            known("use_double_wide_mlp", "true");
        }
        return {};
    }

    void addVocabulary() {
        const TensorInfo* const embedding = m_context.tensor("token_embd.weight");
        if (embedding && embedding->shape.rank() == 2) known("vocab_size", whole(static_cast<double>(embedding->shape[0])));
        const TensorInfo* const ofLayers = m_context.tensor("per_layer_token_embd.weight");
        if (ofLayers) known("vocab_size_per_layer_input", whole(static_cast<double>(ofLayers->shape[0])));
        known("tie_word_embeddings", m_context.tensor("output.weight") ? "false" : "true");
    }

    void addSpecialIds() {
        constexpr std::pair<const char*, const char*> ids[] = {
            {"bos_token_id", "tokenizer.ggml.bos_token_id"},     {"eos_token_id", "tokenizer.ggml.eos_token_id"},
            {"unk_token_id", "tokenizer.ggml.unknown_token_id"}, {"sep_token_id", "tokenizer.ggml.seperator_token_id"},
            {"pad_token_id", "tokenizer.ggml.padding_token_id"}, {"cls_token_id", "tokenizer.ggml.cls_token_id"},
            {"mask_token_id", "tokenizer.ggml.mask_token_id"},
        };
        // An unknown token that the family finds by its text is behind those that config.json names.
        const bool findsUnknown = std::ranges::find(m_rules.tokens, "unk", &ExtraToken::name) != m_rules.tokens.end();
        for (const auto& [member, pair] : ids)
            if (const auto id = number(pair); id && !(findsUnknown && std::string_view(member) == "unk_token_id"))
                known(member, whole(*id));
    }

    // Members that only the class of the model knows, or the presence of tensors.
    void addGuesses() {
        const char* const type = m_context.type == Dtype::F16 ? "float16" : m_context.type == Dtype::BF16 ? "bfloat16" : "float32";
        known("torch_dtype", jsonFromText(type));
        guessed(m_rules.activationKey, jsonFromText(m_rules.activation));
        const bool hasBias = m_context.tensor("blk.0.attn_q.bias") != nullptr;
        for (const std::string_view member : m_rules.biasMembers)
            if (!member.empty()) guessed(member, hasBias ? "true" : "false");
        if (!m_rules.guess.member.empty()) guessed(m_rules.guess.member, std::string(m_rules.guess.json));
        const auto head = number("attention.key_length");
        if (m_rules.writesScoreScalar && head) guessed("query_pre_attn_scalar", whole(*head));
        guessed("use_cache", "true");
    }

    const RestoreContext& m_context;
    const FolderRules& m_rules;
    const arch::ModelSpec& m_spec;
    std::vector<ConfigMember> m_members;
    std::vector<std::pair<std::string, std::string>> m_rope; // members of rope_scaling
};

} // namespace

Result<std::vector<ConfigMember>> restoreConfig(const RestoreContext& context) { return ConfigRestorer(context).run(); }

} // namespace wb::convert
