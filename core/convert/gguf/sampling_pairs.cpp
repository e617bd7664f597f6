// SPDX-License-Identifier: MIT
#include "core/convert/gguf/sampling_pairs.h"

#include "core/base/text.h"

#include <limits>

namespace wb::convert {
namespace {

enum class SamplingKind : std::uint8_t { Whole, Real, Text };
struct SamplingRule {
    std::string_view member, older; // of generation_config.json, the first that is there counts
    std::string_view suffix;
    SamplingKind kind;
};
constexpr SamplingRule samplingRules[] = {
    {"sequence", "", "sequence", SamplingKind::Text},
    {"top_k", "", "top_k", SamplingKind::Whole},
    {"top_p", "", "top_p", SamplingKind::Real},
    {"min_p", "", "min_p", SamplingKind::Real},
    {"xtc_probability", "", "xtc_probability", SamplingKind::Real},
    {"xtc_threshold", "", "xtc_threshold", SamplingKind::Real},
    {"temperature", "", "temp", SamplingKind::Real},
    {"penalty_last_n", "", "penalty_last_n", SamplingKind::Whole},
    {"penalty_repeat", "repetition_penalty", "penalty_repeat", SamplingKind::Real},
    {"mirostat", "", "mirostat", SamplingKind::Whole},
    {"mirostat_tau", "", "mirostat_tau", SamplingKind::Real},
    {"mirostat_eta", "", "mirostat_eta", SamplingKind::Real},
};

std::string samplingKey(const SamplingRule& rule) { return fmt::format("general.sampling.{}", rule.suffix); }

std::unexpected<Error> notSampling(std::string_view member) {
    return fail(ErrorCode::Malformed, Reason("convert.sampling_member"), About{"generation_config.json"},
                WB_TEXT("{} in generation_config.json is not of the kind that a GGUF file can hold; mend or remove it."), member);
}

Result<void> addSamplingPair(const SamplingRule& rule, std::string_view member, const Value& value, PairList& pairs) {
    if (rule.kind == SamplingKind::Text) {
        if (!value.string()) return notSampling(member);
        pairs.text(samplingKey(rule), *value.string(), Origin::Config);
        return {};
    }
    const auto number = value.number();
    if (!number) return notSampling(member);
    if (rule.kind == SamplingKind::Real) {
        pairs.f32(samplingKey(rule), static_cast<float>(*number), Origin::Config);
        return {};
    }
    const bool isInRange =
        *number >= std::numeric_limits<std::int32_t>::min() && *number <= std::numeric_limits<std::int32_t>::max();
    if (!isInRange || *number != static_cast<double>(static_cast<std::int32_t>(*number))) return notSampling(member);
    pairs.i32(samplingKey(rule), static_cast<std::int32_t>(*number), Origin::Config);
    return {};
}

} // namespace

Result<void> addSampling(const ValueObject& generation, PairList& pairs) {
    for (const SamplingRule& rule : samplingRules) {
        const bool usesOlder = !rule.older.empty() && !generation.find(rule.member);
        const std::string_view member = usesOlder ? rule.older : rule.member;
        if (const Value* const value = findSet(generation, member)) WB_TRY(addSamplingPair(rule, member, *value, pairs));
    }
    return {};
}

std::vector<std::pair<std::string_view, std::string>> samplingMembers(const ValueObject& metadata) {
    std::vector<std::pair<std::string_view, std::string>> members;
    for (const SamplingRule& rule : samplingRules) {
        const Value* const value = metadata.find(samplingKey(rule));
        const auto number = value && rule.kind != SamplingKind::Text ? value->number() : std::nullopt;
        if (number) members.emplace_back(rule.older.empty() ? rule.member : rule.older, shortest(static_cast<float>(*number)));
    }
    return members;
}

} // namespace wb::convert
