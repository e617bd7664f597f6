// SPDX-License-Identifier: MIT
#include "core/convert/gguf/config_pairs.h"

#include "core/convert/gguf/config_value.h"
#include "core/convert/gguf/layer_pairs.h"

#include <algorithm>
#include <limits>

namespace wb::convert {
namespace {

// The spelling that most folders have.
std::string_view lastName(const KeyRule& rule) { return rule.members[rule.key == "block_count" ? 1 : 0]; }

Origin pairOrigin(bool isFallback) { return isFallback ? Origin::Computed : Origin::Config; }

// Each function adds the pair of one type of rule.
class ConfigPairs {
public:
    explicit ConfigPairs(const PairContext& context)
        : m_context(context), m_config(context.config), m_spec(context.spec), m_pairs(context.pairs) {}

    Result<void> add(const KeyRule& rule) {
        switch (rule.kind) {
        case KeyKind::Number: return addNumber(rule);
        case KeyKind::Float: return addFloat(rule);
        case KeyKind::Truth: return addTruth(rule);
        case KeyKind::Text: m_pairs.text(key(rule.key), rule.text, Origin::Computed); return {};
        case KeyKind::HeadLength: return addHeadLength();
        case KeyKind::FourWidths: return addFourWidths(rule);
        case KeyKind::BlockCount: return addBlockCount(rule);
        case KeyKind::LatentLengths: addLatentLengths(true); return {};
        case KeyKind::LatentKeyLengths: addLatentLengths(false); return {};
        case KeyKind::Gating: return addGating(rule);
        case KeyKind::NestedCount: return addNestedCount(rule);
        case KeyKind::Prediction:
            if (m_spec.predictionLayers > 0)
                m_pairs.u32(key(rule.key), static_cast<std::uint32_t>(m_spec.predictionLayers), Origin::Config);
            return {};
        case KeyKind::WindowPattern: return addWindowPattern(rule);
        case KeyKind::HeadLengthsByWindow: return addHeadLengths();
        case KeyKind::RopeLengthsByWindow: return addRopeLengths();
        case KeyKind::SharedWidth: addSharedWidth(rule); return {};
        case KeyKind::NestedNumber: return addNestedNumber(rule);
        case KeyKind::StateRotation: addStateRotation(rule); return {};
        case KeyKind::InnerLength:
            m_pairs.u32(key(rule.key), static_cast<std::uint32_t>(m_spec.recurrent.inner), Origin::Config);
            return {};
        case KeyKind::FeedForwardByLayer:
        case KeyKind::KeyHeadsByLayer:
        case KeyKind::RecurrentByLayer:
        case KeyKind::IndexerByLayer:
        case KeyKind::RatioByLayer:
        case KeyKind::LayerNumbers: return addLayerPairs(m_context, rule);
        case KeyKind::NgramWidth:
        case KeyKind::StoredNumbers: return addNgramPairs(m_context, rule);
        default: return addRopePairs(m_context, rule);
        }
    }

private:
    std::string key(std::string_view suffix) const { return m_context.key(suffix); }

    Result<void> addNumber(const KeyRule& rule) {
        std::optional<std::uint32_t> number;
        for (const std::string_view member : rule.members) {
            if (number) break;
            WB_TRY_ASSIGN(number, memberNumber(m_config, member));
        }
        if (!number && rule.required)
            return fail(ErrorCode::Malformed, Reason("convert.config_missing"), About{"config.json"},
                        WB_TEXT("config.json is missing {}, which models of the architecture {} require."), lastName(rule),
                        m_context.family.family->architecture);
        const std::optional<std::uint32_t> written =
            number || !rule.fallback ? number : std::optional(static_cast<std::uint32_t>(*rule.fallback));
        // A token that the vocabulary does not reach is none.
        const bool isOutside = rule.key.ends_with("_token_id") && written && *written >= m_spec.vocabulary;
        if (written && !isOutside) m_pairs.u32(key(rule.key), *written, pairOrigin(!number));
        return {};
    }

    Result<void> addFloat(const KeyRule& rule) {
        for (const std::string_view member : rule.members) {
            WB_TRY_ASSIGN(const auto number, memberFloat(m_config, member));
            if (!number) continue;
            m_pairs.f32(key(rule.key), *number, Origin::Config);
            return {};
        }
        if (rule.fallback) m_pairs.f32(key(rule.key), static_cast<float>(*rule.fallback), Origin::Computed);
        return {};
    }

    Result<void> addTruth(const KeyRule& rule) {
        WB_TRY_ASSIGN(const auto truth, memberBool(m_config, rule.members[0]));
        if (rule.text == "if true" && !truth.value_or(false)) return {};
        if (truth || rule.fallback)
            m_pairs.truth(key(rule.key), truth.value_or(rule.fallback.value_or(0) != 0), pairOrigin(!truth));
        return {};
    }

    Result<void> addHeadLength() {
        WB_TRY_ASSIGN(const auto length, statedHeadLength(m_context));
        if (!length) return {};
        m_pairs.u32(key("attention.key_length"), *length, Origin::Config);
        m_pairs.u32(key("attention.value_length"), *length, Origin::Config);
        return {};
    }

    Result<void> addFourWidths(const KeyRule& rule) {
        WB_TRY_ASSIGN(const auto width, memberNumber(m_config, "n_embd"));
        if (width && *width <= std::numeric_limits<std::uint32_t>::max() / 4)
            m_pairs.u32(key(rule.key), *width * 4, Origin::Config);
        return {};
    }

    Result<void> addBlockCount(const KeyRule& rule) {
        m_pairs.u32(key(rule.key), static_cast<std::uint32_t>(m_spec.blockCount), Origin::Config);
        return {};
    }

    Result<void> addWindowPattern(const KeyRule& rule) {
        const Value* const kinds = findSet(m_config, "layer_types");
        if (!findSet(m_config, "sliding_window")) return {};
        std::vector<bool> windowed;
        if (kinds && kinds->array())
            for (const Value& kind : kinds->array()->first)
                windowed.push_back(kind.string() && *kind.string() == "sliding_attention");
        else
            for (const arch::LayerSpec& layer : m_spec.layers) windowed.push_back(layer.window > 0);
        m_pairs.truths(key(rule.key), windowed, Origin::Config);
        return {};
    }

    // The first layer with or without a window; null if none exists.
    const arch::LayerSpec* firstLayer(bool isWindowed) const {
        const auto layer = std::ranges::find(m_spec.layers, isWindowed, [](const arch::LayerSpec& l) { return l.window > 0; });
        return layer == m_spec.layers.end() ? nullptr : &*layer;
    }

    void addLengthFromSuffix(const char* suffix, std::uint64_t length) {
        m_pairs.u32(key(suffix), static_cast<std::uint32_t>(length), Origin::Config);
    }

    Result<void> addHeadLengths() {
        if (const arch::LayerSpec* const full = firstLayer(false)) {
            addLengthFromSuffix("attention.key_length", full->keyLength);
            addLengthFromSuffix("attention.value_length", full->valueLength);
        }
        if (const arch::LayerSpec* const windowed = firstLayer(true)) {
            addLengthFromSuffix("attention.key_length_swa", windowed->keyLength);
            addLengthFromSuffix("attention.value_length_swa", windowed->valueLength);
        }
        return {};
    }

    // Where only a part of a head turns without a window, a tensor of factors reports it.
    Result<void> addRopeLengths() {
        if (const arch::LayerSpec* const full = firstLayer(false)) addLengthFromSuffix("rope.dimension_count", full->keyLength);
        if (const arch::LayerSpec* const windowed = firstLayer(true))
            addLengthFromSuffix("rope.dimension_count_swa", windowed->ropeDimensions);
        return {};
    }

    void addSharedWidth(const KeyRule& rule) {
        const auto shares = std::ranges::find_if(m_spec.layers, [](const arch::LayerSpec& l) { return l.sharedExpertWidth > 0; });
        if (shares == m_spec.layers.end()) return;
        m_pairs.u32(key(rule.key), static_cast<std::uint32_t>(shares->sharedExpertWidth), Origin::Computed);
    }

    Result<void> addNestedNumber(const KeyRule& rule) {
        const Value* const outer = findSet(m_config, rule.members[0]);
        if (!outer || !outer->object()) return {};
        WB_TRY_ASSIGN(const auto number, memberNumber(*outer->object(), rule.members[1]));
        if (number) m_pairs.u32(key(rule.key), *number, Origin::Config);
        return {};
    }

    // As the reference: a state knows no end of its context.
    void addStateRotation(const KeyRule& rule) {
        constexpr std::uint32_t endless = 1 << 20;
        const bool recurs = std::ranges::any_of(
            m_spec.layers, [](const arch::LayerSpec& layer) { return layer.recurrence != arch::Recurrence::None; });
        m_pairs.truth(key(rule.key), !recurs, Origin::Computed);
        if (recurs) m_pairs.u32(key("context_length"), endless, Origin::Computed);
    }

    void addLatentLengths(bool hasValues) {
        const arch::LatentSpec& latent = m_spec.latent;
        const auto attends = std::ranges::find_if(m_spec.layers, &arch::LayerSpec::hasAttention);
        if (attends == m_spec.layers.end()) return;
        addLengthFromSuffix("attention.key_length", attends->keyLength);
        if (hasValues) addLengthFromSuffix("attention.value_length", latent.keyValueRank);
        addLengthFromSuffix("attention.key_length_mla", latent.keyLength);
        addLengthFromSuffix("attention.value_length_mla", latent.valueLength);
    }

    Result<void> addGating(const KeyRule& rule) {
        for (const std::string_view member : rule.members) {
            const std::string_view name = member.empty() ? std::string_view() : memberText(m_config, member);
            if (name.empty()) continue;
            const bool isSigmoid = name == "sigmoid";
            if (isSigmoid || name == "softmax")
                m_pairs.u32(key(rule.key), static_cast<std::uint32_t>(isSigmoid ? arch::Gating::Sigmoid : arch::Gating::Softmax),
                            Origin::Config);
            return {};
        }
        return {};
    }

    Result<void> addNestedCount(const KeyRule& rule) {
        const Value* const outer = findSet(m_config, rule.members[0]);
        const Value* const list = outer && outer->object() ? findSet(*outer->object(), rule.members[1]) : nullptr;
        if (list && list->array()) m_pairs.u32(key(rule.key), static_cast<std::uint32_t>(list->array()->count), Origin::Config);
        return {};
    }

    const PairContext& m_context;
    const ValueObject& m_config;
    const arch::ModelSpec& m_spec;
    PairList& m_pairs;
};

} // namespace

Result<void> addConfigPairs(const PairContext& context, std::span<const KeyRule> rules) {
    ConfigPairs adder(context);
    for (const KeyRule& rule : rules) WB_TRY(adder.add(rule));
    return {};
}

} // namespace wb::convert
