// SPDX-License-Identifier: MIT
#include "core/convert/gguf/rope_pairs.h"

#include "core/arch/config_keys.h"
#include "core/convert/gguf/config_value.h"
#include "core/convert/gguf/tensor_names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::convert {
namespace {

using Context = PairContext;

Result<void> addYarn(const Context& context, const ValueObject& rope) {
    WB_TRY_ASSIGN(auto original, memberNumber(rope, "original_max_position_embeddings"));
    if (!original) { // as transformers, by which the reference reads config.json, completes it
        WB_TRY_ASSIGN(original, memberNumber(context.config, "max_position_embeddings"));
    }
    if (original) context.pairs.u32(context.key("rope.scaling.original_context_length"), *original, Origin::Config);
    constexpr std::pair<const char*, const char*> members[] = {
        {"extrapolation_factor", "rope.scaling.yarn_ext_factor"},
        {"attention_factor", "rope.scaling.yarn_attn_factor"},
        {"attn_factor", "rope.scaling.yarn_attn_factor"},
        {"beta_fast", "rope.scaling.yarn_beta_fast"},
        {"beta_slow", "rope.scaling.yarn_beta_slow"},
    };
    for (const auto& [member, suffix] : members) {
        WB_TRY_ASSIGN(const auto number, memberFloat(rope, member));
        if (number) context.pairs.f32(context.key(suffix), *number, Origin::Config);
    }
    return {};
}

std::string_view scalingType(const ValueObject& rope) {
    const std::string_view type = memberText(rope, "rope_type");
    return type.empty() ? memberText(rope, "type") : type;
}

bool isLongRope(std::string_view type) { return type == "longrope" || type == "su"; }

Problem scalingProblem(std::string_view type) {
    return makeProblem(
        Severity::Warning, "convert.rope_scaling", "config.json", std::nullopt,
        WB_TEXT("RoPE scaling of type {} cannot be written; the new file works only up to the context length used in training."),
        type);
}

Result<void> addScaling(const Context& context, const ValueObject& rope) {
    const std::string_view type = scalingType(rope);
    if (type.empty() || type == "default" || type == context.family.rules->tensorRopeType) return {};
    WB_TRY_ASSIGN(const auto factor, memberFloat(rope, "factor"));
    if ((type != "linear" && type != "yarn") || !factor) {
        context.problems.push_back(scalingProblem(type));
        return {};
    }
    context.pairs.text(context.key("rope.scaling.type"), type, Origin::Config);
    context.pairs.f32(context.key("rope.scaling.factor"), *factor, Origin::Config);
    return type == "yarn" ? addYarn(context, rope) : Result<void>();
}

// The first of these that is set.
Result<std::optional<float>> firstFloat(const ValueObject& object, std::initializer_list<const char*> members) {
    for (const char* const member : members) {
        WB_TRY_ASSIGN(const auto number, memberFloat(object, member));
        if (number) return number;
    }
    return std::nullopt;
}

Result<void> addBase(const Context& context, std::optional<double> fallback) {
    WB_TRY_ASSIGN(auto base, memberFloat(ropeObject(context.config), "rope_theta"));
    if (!base) {
        WB_TRY_ASSIGN(base, firstFloat(context.config, {"global_rope_theta", "rope_global_theta", "rope_theta_global", "rope_theta",
                                                        "rotary_emb_base"}));
    }
    if (!base && fallback) base = static_cast<float>(*fallback);
    if (base) context.pairs.f32(context.key("rope.freq_base"), *base, Origin::Config);
    return {};
}

// Always four: those of time, height and width, and the rest.
Result<void> addSections(const Context& context) {
    const Value* const sections = findSet(ropeObject(context.config), "mrope_section");
    if (!sections || !sections->array()) return {};
    std::array<std::int32_t, 4> numbers{};
    for (std::size_t i = 0; i < std::min(numbers.size(), sections->array()->first.size()); ++i) {
        const auto number = sections->array()->first[i].unsignedNumber();
        if (!number || *number > arch::maxHeadLength)
            return fail(ErrorCode::Malformed, Reason("convert.config_number"), About{"config.json"},
                        WB_TEXT("{} in config.json is not a number that GGUF can store."), "mrope_section");
        numbers[i] = static_cast<std::int32_t>(*number);
    }
    context.pairs.numbers(context.key("rope.dimension_sections"), std::span<const std::int32_t>(numbers), Origin::Config);
    return {};
}

Result<void> addUsualSections(const Context& context, const KeyRule& rule) {
    if (findSet(ropeObject(context.config), "mrope_section")) return {};
    std::vector<std::int32_t> numbers;
    for (std::string_view rest = rule.text; const auto number = takeNumber(rest); rest.remove_prefix(rest.empty() ? 0 : 1))
        numbers.push_back(static_cast<std::int32_t>(*number));
    context.pairs.numbers(context.key(rule.key), std::span<const std::int32_t>(numbers), Origin::Computed);
    return {};
}

Result<void> addWindowBase(const Context& context) {
    const Value* const parameters = findSet(context.config, "rope_parameters");
    const Value* const windowed =
        parameters && parameters->object() ? findSet(*parameters->object(), "sliding_attention") : nullptr;
    std::optional<float> base;
    if (windowed && windowed->object()) {
        WB_TRY_ASSIGN(base, memberFloat(*windowed->object(), "rope_theta"));
    }
    if (!base) {
        WB_TRY_ASSIGN(base, firstFloat(context.config, {"local_rope_theta", "rope_local_theta", "rope_theta_local",
                                                        "swa_rope_theta", "rope_local_base_freq"}));
    }
    if (base) context.pairs.f32(context.key("rope.freq_base_swa"), *base, Origin::Config);
    return {};
}

Result<std::optional<std::uint32_t>> readHeadLength(const Context& context) {
    WB_TRY_ASSIGN(const auto stated, statedHeadLength(context));
    if (stated) return stated;
    WB_TRY_ASSIGN(const auto width, memberNumber(context.config, "hidden_size"));
    WB_TRY_ASSIGN(const auto heads, memberNumber(context.config, "num_attention_heads"));
    if (width && heads && *heads > 0) return *width / *heads;
    return std::nullopt;
}

// The part of a head that is rotated, in [0, 1].
Result<float> rotatedPart(const Context& context, const KeyRule& rule) {
    for (const std::string_view member : rule.members) {
        WB_TRY_ASSIGN(auto part, memberFloat(ropeObject(context.config), member));
        if (!part) {
            WB_TRY_ASSIGN(part, memberFloat(context.config, member));
        }
        if (!part) continue;
        if (*part >= 0 && *part <= 1) return *part;
        return fail(ErrorCode::Malformed, Reason("convert.rotated_part"), About{"config.json"},
                    WB_TEXT("{} in config.json is not a fraction of a head between 0 and 1."), member);
    }
    return static_cast<float>(rule.fallback.value_or(1));
}

Result<void> addLength(const Context& context, const KeyRule& rule) {
    WB_TRY_ASSIGN(const auto length, readHeadLength(context));
    if (!length) return {};
    float part = 1;
    if (rule.kind == KeyKind::RopePart) {
        WB_TRY_ASSIGN(part, rotatedPart(context, rule));
    }
    const auto rotated = static_cast<std::uint32_t>(static_cast<double>(part) * *length);
    context.pairs.u32(context.key(rule.key), rotated, Origin::Config);
    return {};
}

Result<void> addFloatOfRope(const Context& context, const KeyRule& rule) {
    for (const std::string_view member : rule.members) {
        WB_TRY_ASSIGN(const auto number, memberFloat(ropeObject(context.config), member));
        if (!number) continue;
        const bool isScaled = rule.key == "rope.scaling.yarn_log_multiplier";
        const double factor = isScaled ? context.family.family->yarnLogFactor : 1;
        context.pairs.f32(context.key(rule.key), static_cast<float>(factor * static_cast<double>(*number)), Origin::Config);
        return {};
    }
    return {};
}

// The factor of attention scores beyond the context that the model was trained with.
Result<void> addLongRopeFactor(const Context& context, const KeyRule& rule) {
    if (!isLongRope(scalingType(ropeObject(context.config)))) return {};
    WB_TRY_ASSIGN(const auto length, memberNumber(context.config, "max_position_embeddings"));
    WB_TRY_ASSIGN(const auto original, memberNumber(context.config, "original_max_position_embeddings"));
    if (!length || !original || *original < 2) return {};
    const double scale = static_cast<double>(*length) / *original;
    const double factor = scale <= 1 ? 1 : std::sqrt(1 + std::log(scale) / std::log(static_cast<double>(*original)));
    context.pairs.f32(context.key(rule.key), static_cast<float>(factor), Origin::Computed);
    return {};
}

// Rotation by a base that grows with alpha (docs/reference/conversion.md, "Recipes").
Result<void> addAlphaRope(const Context& context) {
    const ValueObject& rope = ropeObject(context.config);
    WB_TRY_ASSIGN(const auto alpha, memberFloat(rope, "alpha"));
    WB_TRY_ASSIGN(const auto length, memberNumber(context.config, "head_dim"));
    if (scalingType(rope) != "dynamic") return {};
    if (!alpha || *alpha <= 0 || !length || *length <= 2) {
        context.problems.push_back(scalingProblem("dynamic"));
        return {};
    }
    WB_TRY_ASSIGN(auto base, memberFloat(rope, "rope_theta"));
    if (!base) {
        WB_TRY_ASSIGN(base, memberFloat(context.config, "rope_theta"));
    }
    const double exponent = static_cast<double>(*length) / (*length - 2.0);
    const double scaled = static_cast<double>(base.value_or(10000)) * std::pow(static_cast<double>(*alpha), exponent);
    context.pairs.f32(context.key("rope.freq_base"), static_cast<float>(scaled), Origin::Computed);
    context.pairs.text(context.key("rope.scaling.type"), "none", Origin::Computed);
    context.pairs.f32(context.key("rope.scaling.factor"), 1, Origin::Computed);
    context.pairs.u32(context.key("rope.scaling.original_context_length"), arch::alphaContext, Origin::Computed);
    context.pairs.u32(context.key("context_length"), arch::alphaContext, Origin::Computed);
    return {};
}

} // namespace

std::string PairContext::key(std::string_view suffix) const {
    return suffix.starts_with("tokenizer.") ? std::string(suffix) : fmt::format("{}.{}", family.family->architecture, suffix);
}

Result<std::optional<std::uint32_t>> statedHeadLength(const PairContext& context) {
    if (context.family.rules->ignoresHeadLength) return std::nullopt;
    WB_TRY_ASSIGN(const auto stated, memberNumber(context.config, "head_dim"));
    if (stated) return stated;
    const arch::ModelType* const type = arch::findModelType(memberText(context.config, "model_type")).type;
    if (!type || !type->writesHeadLength) return std::nullopt;
    WB_TRY_ASSIGN(const auto width, memberNumber(context.config, "hidden_size"));
    WB_TRY_ASSIGN(const auto heads, memberNumber(context.config, "num_attention_heads"));
    if (!width || !heads || *heads == 0) return std::nullopt;
    return *width / *heads;
}

Result<void> addRopePairs(const PairContext& context, const KeyRule& rule) {
    switch (rule.kind) {
    case KeyKind::RopeScaling:
        WB_TRY(addScaling(context, ropeObject(context.config)));
        WB_TRY(addSections(context));
        WB_TRY(addBase(context, rule.fallback));
        return addWindowBase(context);
    case KeyKind::RopeSections: return addUsualSections(context, rule);
    case KeyKind::RopeBase: return addBase(context, rule.fallback);
    case KeyKind::RopeFloat: return addFloatOfRope(context, rule);
    case KeyKind::LongRopeFactor: return addLongRopeFactor(context, rule);
    case KeyKind::AlphaRope: return addAlphaRope(context);
    default: return addLength(context, rule);
    }
}

} // namespace wb::convert
