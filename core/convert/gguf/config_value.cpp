// SPDX-License-Identifier: MIT
#include "core/convert/gguf/config_value.h"

#include <limits>

namespace wb::convert {
namespace {

std::unexpected<Error> notNumber(std::string_view member) {
    return fail(ErrorCode::Malformed, Reason("convert.config_number"), About{"config.json"},
                WB_TEXT("{} in config.json is not a number that GGUF can store."), member);
}

const Value* objectMember(const ValueObject& object, std::string_view member) {
    return member.empty() ? nullptr : findSet(object, member);
}

} // namespace

Result<std::optional<std::uint32_t>> memberNumber(const ValueObject& object, std::string_view member) {
    const Value* const value = objectMember(object, member);
    if (!value) return std::nullopt;
    const auto number = value->unsignedNumber();
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return notNumber(member);
    return static_cast<std::uint32_t>(*number);
}

Result<std::optional<float>> memberFloat(const ValueObject& object, std::string_view member) {
    const Value* const value = objectMember(object, member);
    if (!value) return std::nullopt;
    const auto number = value->number();
    if (!number) return notNumber(member);
    return static_cast<float>(*number);
}

Result<std::optional<bool>> memberBool(const ValueObject& object, std::string_view member) {
    const Value* const value = objectMember(object, member);
    if (!value) return std::nullopt;
    if (const bool* const truth = std::get_if<bool>(&value->data)) return *truth;
    return fail(ErrorCode::Malformed, Reason("convert.config_truth"), About{"config.json"},
                WB_TEXT("{} in config.json is neither true nor false."), member);
}

const ValueObject& ropeObject(const ValueObject& config) {
    static const ValueObject none;
    for (const char* const member : {"rope_parameters", "rope_scaling"}) {
        const Value* const value = findSet(config, member);
        if (!value || !value->object()) continue;
        const Value* const full = findSet(*value->object(), "full_attention");
        return full && full->object() ? *full->object() : *value->object();
    }
    return none;
}

} // namespace wb::convert
