// SPDX-License-Identifier: MIT
#include "core/formats/quantized/config.h"

#include <algorithm>
#include <array>

namespace wb::quantized {
namespace {

const ValueObject* objectAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->object() : nullptr;
}

std::string textAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    std::string text = value && value->string() ? *value->string() : std::string();
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

std::optional<std::uint64_t> optionalNumberAt(const ValueObject& object, std::string_view key) {
    const Value* value = object.find(key);
    return value ? value->unsignedNumber() : std::nullopt;
}

std::vector<std::uint64_t> numbersAt(const ValueObject& object, std::string_view key) {
    std::vector<std::uint64_t> numbers;
    const Value* value = object.find(key);
    if (!value || !value->array()) return numbers;
    for (const Value& element : value->array()->first)
        if (const auto number = element.unsignedNumber()) numbers.push_back(*number);
    return numbers;
}

void readGroups(const ValueObject& groups, Config& config) {
    for (const Member& member : groups.members) {
        const ValueObject* group = member.value.object();
        const ValueObject* weights = group ? objectAt(*group, "weights") : nullptr;
        if (!weights) continue;
        if (const auto bits = optionalNumberAt(*weights, "num_bits")) config.groupBits.push_back(*bits);
        if (config.block.empty()) config.block = numbersAt(*weights, "block_structure");
    }
}

} // namespace

Config parseConfig(const Value* configJson) {
    Config config;
    const ValueObject* root = configJson ? configJson->object() : nullptr;
    const ValueObject* quantization = root ? objectAt(*root, "quantization_config") : nullptr;
    if (!quantization) return config;
    config.method = textAt(*quantization, "quant_method");
    for (const char* key : {"checkpoint_format", "format", "version"})
        if (config.format.empty()) config.format = textAt(*quantization, key);
    config.bits = optionalNumberAt(*quantization, "bits");
    config.group = optionalNumberAt(*quantization, "group_size");
    if (const Value* symmetric = quantization->find("sym"))
        if (const bool* flag = std::get_if<bool>(&symmetric->data)) config.isSymmetric = *flag;
    config.block = numbersAt(*quantization, "weight_block_size");
    if (const ValueObject* groups = objectAt(*quantization, "config_groups")) readGroups(*groups, config);
    return config;
}

} // namespace wb::quantized
