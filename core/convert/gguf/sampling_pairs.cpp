// SPDX-License-Identifier: MIT
#include "core/convert/gguf/sampling_pairs.h"

#include "core/base/text.h"
#include "core/text/model_sampling.h"

#include <limits>

namespace wb::convert {
namespace {

using text::SamplingKey;
using text::SamplingKind;

std::string samplingKey(const SamplingKey& rule) { return fmt::format("general.sampling.{}", rule.suffix); }

std::unexpected<Error> notSampling(std::string_view member) {
    return fail(ErrorCode::Malformed, Reason("convert.sampling_member"), About{"generation_config.json"},
                WB_TEXT("{} in generation_config.json has a type that GGUF cannot store; fix or remove it."), member);
}

Result<void> addSamplingPair(const SamplingKey& rule, std::string_view member, const Value& value, PairList& pairs) {
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
    for (const SamplingKey& rule : text::samplingKeys()) {
        const bool usesOlder = !rule.older.empty() && !generation.find(rule.member);
        const std::string_view member = usesOlder ? rule.older : rule.member;
        if (const Value* const value = findSet(generation, member)) WB_TRY(addSamplingPair(rule, member, *value, pairs));
    }
    return {};
}

std::vector<std::pair<std::string_view, std::string>> samplingMembers(const ValueObject& metadata) {
    std::vector<std::pair<std::string_view, std::string>> members;
    for (const SamplingKey& rule : text::samplingKeys()) {
        const Value* const value = metadata.find(samplingKey(rule));
        const auto number = value && rule.kind != SamplingKind::Text ? value->number() : std::nullopt;
        if (number) members.emplace_back(rule.older.empty() ? rule.member : rule.older, shortest(static_cast<float>(*number)));
    }
    return members;
}

} // namespace wb::convert
