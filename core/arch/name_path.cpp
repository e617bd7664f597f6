// SPDX-License-Identifier: MIT
#include "core/arch/name_path.h"

#include "core/arch/role.h"

#include <algorithm>
#include <array>

namespace wb::arch {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array storageWords = {
    "weight"sv,
    "bias"sv,
    "scale"sv,
    "scales"sv,
    "gamma"sv,
    "beta"sv,
    "qweight"sv,
    "qzeros"sv,
    "g_idx"sv,
    "weight_scale"sv,
    "weight_g"sv,
    "weight_v"sv,
    "weight_scale_2"sv,
    "weight_scale_inv"sv,
    "weight_packed"sv,
    "weight_shape"sv,
    "input_scale"sv,
    "base_layer"sv,
    "lora_A"sv,
    "lora_B"sv,
    "lora_a"sv,
    "lora_b"sv,
    "default"sv,
    "lora_down"sv,
    "lora_up"sv,
    "alpha"sv,
    "absmax"sv,
    "quant_map"sv,
    "running_mean"sv,
    "running_var"sv,
    "num_batches_tracked"sv,
};
constexpr std::array storageEndings = {"_weight"sv, "_bias"sv, "_blocks"sv, "_scales"sv};

constexpr std::array blockWords = {
    "blk"sv,
    "layers"sv,
    "layer"sv,
    "h"sv,
    "block"sv,
    "blocks"sv,
    "resblocks"sv,
    "double_blocks"sv,
    "down_blocks"sv,
    "up_blocks"sv,
    "input_blocks"sv,
    "output_blocks"sv,
    "single_blocks"sv,
    "transformer_blocks"sv,
    "single_transformer_blocks"sv,
};
constexpr std::array expertWords = {"experts"sv, "ffn_gate"sv, "ffn_up"sv, "ffn_down"sv};

bool isOneOf(std::string_view text, const auto& words) { return std::ranges::find(words, text) != words.end(); }

// The first number that stands directly after one of `words`.
std::optional<std::uint32_t> numberAfter(std::string_view tensorName, const auto& words) {
    for (std::string_view previous = takeComponent(tensorName); !tensorName.empty();) {
        const std::string_view component = takeComponent(tensorName);
        if (const auto number = numberIn(component); number && isOneOf(previous, words)) return number;
        previous = component;
    }
    return std::nullopt;
}

} // namespace

std::string_view takeComponent(std::string_view& rest) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const std::string_view first = rest.substr(0, dot);
    rest.remove_prefix(std::min(dot + 1, rest.size()));
    return first;
}

std::optional<std::uint32_t> numberIn(std::string_view component) {
    if (component.empty() || component.size() > 9) return std::nullopt;
    std::uint32_t number = 0;
    for (const char c : component) {
        if (c < '0' || c > '9') return std::nullopt;
        number = number * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return number;
}

bool isStorageWord(std::string_view component) { return isOneOf(component, storageWords); }

std::string_view withoutStorageEnding(std::string_view component) {
    for (const std::string_view ending : storageEndings)
        if (component.size() > ending.size() && component.ends_with(ending))
            return component.substr(0, component.size() - ending.size());
    return component;
}

std::optional<std::uint32_t> tensorLayer(std::string_view tensorName) {
    if (tensorName.starts_with("mtp.") || tensorName.starts_with("model.mtp.")) return std::nullopt;
    return numberAfter(tensorName, blockWords);
}

std::optional<std::uint32_t> tensorExpert(std::string_view tensorName) { return numberAfter(tensorName, expertWords); }

} // namespace wb::arch
