// SPDX-License-Identifier: MIT
#include "core/convert/convert/config_pairs.h"

#include <limits>

namespace wb::conversion {
namespace {

std::unexpected<Error> notNumber(std::string_view member) {
    return fail(ErrorCode::Malformed, Reason("convert.config_number"), About{"config.json"},
                WB_TEXT("{} in config.json is not a number that a GGUF file can hold."), member);
}

class ConfigPairs {
public:
    ConfigPairs(const SourceFolder& folder, const ConvertFamily& family, PairList& pairs, std::vector<Problem>& problems)
        : m_config(folder.config), m_family(family), m_pairs(pairs), m_problems(problems) {}

    Result<void> add(const PairRule& rule) {
        switch (rule.kind) {
        case PairKind::Number: return addNumber(rule);
        case PairKind::Float: return addFloat(rule);
        case PairKind::RopeScaling: return addRope();
        case PairKind::HeadLength: return addHeadLength();
        case PairKind::RopeLength: break;
        }
        return addRopeLength();
    }

private:
    std::string key(std::string_view suffix) const { return fmt::format("{}.{}", m_family.architecture, suffix); }

    Result<void> addNumber(const PairRule& rule) {
        for (const std::string_view member : rule.members) {
            WB_TRY_ASSIGN(const auto number, numberOf(m_config, member));
            if (!number) continue;
            m_pairs.u32(key(rule.key), *number, Origin::Config);
            return {};
        }
        if (!rule.required) return {};
        return fail(ErrorCode::Malformed, Reason("convert.config_missing"), About{"config.json"},
                    WB_TEXT("config.json lacks {}, which models of the family {} state."), lastName(rule), m_family.architecture);
    }

    // The spelling that most folders have.
    static std::string_view lastName(const PairRule& rule) { return rule.members[rule.key == "block_count" ? 1 : 0]; }

    static Result<std::optional<std::uint32_t>> numberOf(const ValueObject& object, std::string_view member) {
        const Value* const value = member.empty() ? nullptr : findSet(object, member);
        if (!value) return std::nullopt;
        const auto number = value->unsignedNumber();
        if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return notNumber(member);
        return static_cast<std::uint32_t>(*number);
    }

    static Result<std::optional<float>> floatOf(const ValueObject& object, std::string_view member) {
        const Value* const value = member.empty() ? nullptr : findSet(object, member);
        if (!value) return std::nullopt;
        const auto number = value->number();
        if (!number) return notNumber(member);
        return static_cast<float>(*number);
    }

    Result<void> addFloat(const PairRule& rule) {
        for (const std::string_view member : rule.members) {
            WB_TRY_ASSIGN(const auto number, floatOf(m_config, member));
            if (!number) continue;
            m_pairs.f32(key(rule.key), *number, Origin::Config);
            return {};
        }
        return {};
    }

    // rope_parameters of transformers 5, before that rope_scaling with rope_theta beside it.
    const ValueObject& ropeObject() const {
        static const ValueObject none;
        for (const char* const member : {"rope_parameters", "rope_scaling"}) {
            const Value* const value = findSet(m_config, member);
            if (value && value->object()) return *value->object();
        }
        return none;
    }

    Result<void> addRope() {
        const ValueObject& rope = ropeObject();
        std::string_view type = textOf(rope, "rope_type");
        if (type.empty()) type = textOf(rope, "type");
        WB_TRY(addScaling(rope, type));
        WB_TRY_ASSIGN(auto base, floatOf(rope, "rope_theta"));
        for (const char* const member :
             {"global_rope_theta", "rope_global_theta", "rope_theta_global", "rope_theta", "rotary_emb_base"}) {
            if (base) break;
            WB_TRY_ASSIGN(base, floatOf(m_config, member));
        }
        if (base) m_pairs.f32(key("rope.freq_base"), *base, Origin::Config);
        return {};
    }

    Result<void> addScaling(const ValueObject& rope, std::string_view type) {
        if (type.empty() || type == "default") return {};
        if (type == "llama3" && m_family.isLlama) return {}; // a tensor says it
        WB_TRY_ASSIGN(const auto factor, floatOf(rope, "factor"));
        if ((type != "linear" && type != "yarn") || !factor) {
            m_problems.push_back(makeProblem(Severity::Warning, "convert.rope_scaling", "config.json", std::nullopt,
                                             WB_TEXT("RoPE scaling of the type {} cannot be written; the new file works up to the "
                                                     "context that the model was trained with."),
                                             type));
            return {};
        }
        m_pairs.text(key("rope.scaling.type"), type, Origin::Config);
        m_pairs.f32(key("rope.scaling.factor"), *factor, Origin::Config);
        return type == "yarn" ? addYarn(rope) : Result<void>();
    }

    Result<void> addYarn(const ValueObject& rope) {
        WB_TRY_ASSIGN(const auto context, numberOf(rope, "original_max_position_embeddings"));
        if (context) m_pairs.u32(key("rope.scaling.original_context_length"), *context, Origin::Config);
        constexpr std::pair<const char*, const char*> members[] = {
            {"extrapolation_factor", "rope.scaling.yarn_ext_factor"},
            {"attention_factor", "rope.scaling.yarn_attn_factor"},
            {"attn_factor", "rope.scaling.yarn_attn_factor"},
            {"beta_fast", "rope.scaling.yarn_beta_fast"},
            {"beta_slow", "rope.scaling.yarn_beta_slow"},
        };
        for (const auto& [member, suffix] : members) {
            WB_TRY_ASSIGN(const auto number, floatOf(rope, member));
            if (number) m_pairs.f32(key(suffix), *number, Origin::Config);
        }
        return {};
    }

    Result<std::optional<std::uint32_t>> headLength() const {
        if (m_family.ignoresHeadLength) return std::nullopt;
        return numberOf(m_config, "head_dim");
    }

    Result<void> addHeadLength() {
        WB_TRY_ASSIGN(const auto length, headLength());
        if (!length) return {};
        m_pairs.u32(key("attention.key_length"), *length, Origin::Config);
        m_pairs.u32(key("attention.value_length"), *length, Origin::Config);
        return {};
    }

    Result<void> addRopeLength() {
        WB_TRY_ASSIGN(auto length, headLength());
        WB_TRY_ASSIGN(const auto width, numberOf(m_config, "hidden_size"));
        WB_TRY_ASSIGN(const auto heads, numberOf(m_config, "num_attention_heads"));
        if (!length && width && heads && *heads > 0) length = *width / *heads;
        if (length) m_pairs.u32(key("rope.dimension_count"), *length, Origin::Config);
        return {};
    }

    const ValueObject& m_config;
    const ConvertFamily& m_family;
    PairList& m_pairs;
    std::vector<Problem>& m_problems;
};

} // namespace

Result<void> addConfigPairs(const SourceFolder& folder, const ConvertFamily& family, std::span<const PairRule> rules,
                            PairList& pairs, std::vector<Problem>& problems) {
    ConfigPairs adder(folder, family, pairs, problems);
    for (const PairRule& rule : rules) WB_TRY(adder.add(rule));
    return {};
}

} // namespace wb::conversion
