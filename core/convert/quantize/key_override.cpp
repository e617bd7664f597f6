// SPDX-License-Identifier: MIT
#include "core/convert/quantize/key_override.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace wb::quantize {
namespace {

constexpr std::size_t longestPart = 127; // of a key and of a text, in bytes

template <typename... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};

std::unexpected<Error> notAnOverride(std::string_view text) {
    return fail(ErrorCode::Invalid, Reason("quantize.override_form"), About{std::string(text)},
                WB_TEXT("{} does not have the form KEY=int:N, KEY=float:X, KEY=bool:true or KEY=str:TEXT."), text);
}

std::optional<std::int64_t> parseInteger(std::string_view text) {
    std::int64_t value = 0;
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && next == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Its absolute value, in 32 bits.
std::uint32_t writtenNumber(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return static_cast<std::uint32_t>(value < 0 ? 0 - bits : bits);
}

bool isWriters(std::string_view key) { return key == "general.alignment" || key.starts_with("split."); }

// The resulting number or architecture; empty if the reference keeps the stored one.
std::optional<Value> valueFor(const KeyOverride& override, const Value* stored) {
    if (const auto* text = std::get_if<std::string>(&override.value))
        return override.key == "general.architecture" ? std::optional(Value::of(*text)) : std::nullopt;
    const auto* number = std::get_if<std::int64_t>(&override.value);
    if (!number || (stored && (stored->array() || stored->string())) ||
        (!stored && override.key.find(".attention.head_count") != std::string::npos))
        return std::nullopt;
    return Value::ofUnsigned(ValueType::U32, static_cast<std::uint32_t>(*number));
}

} // namespace

Result<KeyOverride> parseKeyOverride(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::size_t colon = text.find(':', equals);
    if (equals == 0 || equals > longestPart || colon == std::string_view::npos) return notAnOverride(text);
    KeyOverride override{std::string(text.substr(0, equals)), {}};
    const std::string_view type = text.substr(equals + 1, colon - equals - 1);
    const std::string_view value = text.substr(colon + 1);
    if (isWriters(override.key))
        return fail(ErrorCode::Invalid, Reason("quantize.override_key"), About{override.key},
                    WB_TEXT("{} describes how the new file is written and cannot be set."), override.key);
    if (const auto integer = parseInteger(value); type == "int" && integer) override.value = *integer;
    else if (const auto real = parseDouble(value); type == "float" && real) override.value = *real;
    else if (type == "bool" && (value == "true" || value == "false")) override.value = value == "true";
    else if (type == "str" && value.size() <= longestPart) override.value = std::string(value);
    else return notAnOverride(text);
    return override;
}

std::string overrideText(const KeyOverride& override) {
    const std::string value = std::visit(Overloaded{
                                             [](std::int64_t number) { return fmt::format("int:{}", number); },
                                             [](double number) { return "float:" + shortest(number); },
                                             [](bool truth) { return fmt::format("bool:{}", truth); },
                                             [](const std::string& text) { return "str:" + text; },
                                         },
                                         override.value);
    return override.key + "=" + value;
}

KeyOverride asWritten(KeyOverride override) {
    if (auto* const number = std::get_if<std::int64_t>(&override.value)) *number = writtenNumber(*number);
    return override;
}

std::vector<KeyOverride> lastOfEach(std::span<const KeyOverride> overrides) {
    std::vector<KeyOverride> last;
    for (const KeyOverride& override : overrides) {
        std::erase_if(last, [&](const KeyOverride& earlier) { return earlier.key == override.key; });
        last.push_back(override);
    }
    return last;
}

ModelPtr withOverrides(ModelPtr model, std::span<const KeyOverride> overrides) {
    if (overrides.empty()) return model;
    const auto changed = std::make_shared<Model>(*model);
    std::vector<Member>& members = changed->metadata.members;
    std::set<std::string_view> seen;
    for (const KeyOverride& override : overrides) {
        const auto stored = std::ranges::find(members, override.key, &Member::key);
        auto value = valueFor(override, stored == members.end() ? nullptr : &stored->value);
        if (!seen.insert(override.key).second || !value) continue;
        if (value->string()) changed->architecture = *value->string();
        if (stored != members.end()) {
            stored->value = std::move(*value);
        } else {
            members.push_back({override.key, std::move(*value)});
            ++changed->metadata.count;
        }
    }
    return changed;
}

void setOverrides(std::vector<gguf::StoredPair>& pairs, std::span<const KeyOverride> overrides) {
    for (const KeyOverride& override : overrides) {
        const auto pair =
            std::visit(Overloaded{
                           [&](std::int64_t value) { return gguf::makePair(override.key, writtenNumber(value)); },
                           [&](double value) { return gguf::makePair(override.key, static_cast<float>(value)); },
                           [&](bool value) { return gguf::makeTruthPair(override.key, value); },
                           [&](const std::string& value) { return gguf::makePair(override.key, std::string_view(value)); },
                       },
                       override.value);
        gguf::setPair(pairs, pair);
    }
}

} // namespace wb::quantize
