// SPDX-License-Identifier: MIT
#include "core/model/value.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <array>

namespace wb {
namespace {

std::string cutText(std::string_view text, std::size_t budget) {
    const std::string_view shown = utf8Prefix(text, budget);
    return escapeControls(shown) + (shown.size() < text.size() ? "…" : "");
}

std::string elementText(const Value& value, std::size_t budget) {
    if (const auto* text = value.string()) return fmt::format("\"{}\"", cutText(*text, budget));
    return summary(value, budget);
}

std::string arrayText(const ValueArray& array, std::size_t budget) {
    std::string out = "[";
    for (const Value& element : array.first) {
        if (out.size() >= budget) return out + fmt::format("… {} values]", array.count);
        if (out.size() > 1) out += ", ";
        out += elementText(element, budget);
    }
    return array.complete() ? out + "]" : out + fmt::format(", … {} values]", array.count);
}

} // namespace

const char* valueTypeName(ValueType type) {
    static constexpr std::array names = {"null", "bool", "u8",  "i8",  "u16",    "i16",   "u32",   "i32",
                                         "u64",  "i64",  "f32", "f64", "string", "array", "object"};
    return names[static_cast<std::size_t>(type)];
}

bool ValueObject::complete() const { return members.size() == count; }

const Value* ValueObject::find(std::string_view key) const {
    for (const Member& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

Value Value::of(ValueArray v) { return {ValueType::Array, std::move(v)}; }
Value Value::of(ValueObject v) { return {ValueType::Object, std::move(v)}; }

std::optional<std::uint64_t> Value::unsignedNumber() const {
    if (const auto* n = std::get_if<std::uint64_t>(&data)) return *n;
    if (const auto* n = std::get_if<std::int64_t>(&data); n && *n >= 0) return static_cast<std::uint64_t>(*n);
    return std::nullopt;
}

std::optional<double> Value::number() const {
    if (const auto* n = std::get_if<double>(&data)) return *n;
    if (const auto* n = std::get_if<std::uint64_t>(&data)) return static_cast<double>(*n);
    if (const auto* n = std::get_if<std::int64_t>(&data)) return static_cast<double>(*n);
    return std::nullopt;
}

std::string summary(const Value& value, std::size_t maximumBytes) {
    switch (value.type) {
    case ValueType::Null: return "null";
    case ValueType::Bool: return std::get<bool>(value.data) ? "true" : "false";
    case ValueType::F32: return shortest(static_cast<float>(std::get<double>(value.data)));
    case ValueType::F64: return shortest(std::get<double>(value.data));
    case ValueType::String: return cutText(std::get<std::string>(value.data), maximumBytes);
    case ValueType::Array: return arrayText(std::get<ValueArray>(value.data), maximumBytes);
    case ValueType::Object: {
        const auto count = std::get<ValueObject>(value.data).count;
        return fmt::format("{{{} member{}}}", count, count == 1 ? "" : "s");
    }
    default: break;
    }
    if (const auto* n = std::get_if<std::int64_t>(&value.data)) return fmt::format("{}", *n);
    return fmt::format("{}", std::get<std::uint64_t>(value.data));
}

} // namespace wb
