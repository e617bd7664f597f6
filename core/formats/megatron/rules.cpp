// SPDX-License-Identifier: MIT
#include "core/formats/megatron/rules.h"

#include "core/base/checked.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace wb::megatron {
namespace {

struct Rule {
    std::string_view ending;
    Division division;
};

constexpr std::array rules = {Rule{"word_embeddings.weight", Division::Rows},
                              Rule{"output_layer.weight", Division::Rows},
                              Rule{"lm_head.weight", Division::Rows},
                              Rule{"linear_qkv.weight", Division::Rows},
                              Rule{"linear_qkv.bias", Division::Rows},
                              Rule{"query_key_value.weight", Division::Rows},
                              Rule{"query_key_value.bias", Division::Rows},
                              Rule{"linear_proj.weight", Division::Columns},
                              Rule{"attention.dense.weight", Division::Columns},
                              Rule{"linear_fc1.weight", Division::GatedRows},
                              Rule{"linear_fc1.bias", Division::GatedRows},
                              Rule{"dense_h_to_4h.weight", Division::GatedRows},
                              Rule{"dense_h_to_4h.bias", Division::GatedRows},
                              Rule{"linear_fc2.weight", Division::Columns},
                              Rule{"dense_4h_to_h.weight", Division::Columns}};

std::optional<std::uint32_t> takeDigits(std::string_view& text, std::size_t digits) {
    std::uint32_t number = 0;
    if (text.size() < digits) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
    if (error != std::errc() || end != text.data() + digits) return std::nullopt;
    text.remove_prefix(digits);
    return number;
}

} // namespace

Division tensorDivision(std::string_view name, bool isGated) {
    for (const Rule& rule : rules)
        if (name.ends_with(rule.ending)) return rule.division == Division::GatedRows && !isGated ? Division::Rows : rule.division;
    return Division::Replicated;
}

std::optional<RankName> parseRankName(std::string_view folder) {
    constexpr std::string_view word = "mp_rank_";
    if (!folder.starts_with(word)) return std::nullopt;
    folder.remove_prefix(word.size());
    RankName out;
    const auto tensor = takeDigits(folder, 2);
    if (!tensor) return std::nullopt;
    out.tensor = *tensor;
    for (auto* rank : {&out.second, &out.third}) {
        if (folder.empty()) return out;
        if (!folder.starts_with('_')) return std::nullopt;
        folder.remove_prefix(1);
        *rank = takeDigits(folder, 3);
        if (!*rank) return std::nullopt;
    }
    return folder.empty() ? std::optional(out) : std::nullopt;
}

std::string rankName(std::uint32_t tensor, std::optional<std::uint32_t> pipeline) {
    return pipeline ? fmt::format("mp_rank_{:02}_{:03}", tensor, *pipeline) : fmt::format("mp_rank_{:02}", tensor);
}

std::string shiftedLayer(std::string_view name, std::uint64_t shift) {
    constexpr std::string_view word = "layers.";
    const std::size_t at = name.find(word);
    if (shift == 0 || at == std::string_view::npos || (at != 0 && name[at - 1] != '.')) return std::string(name);
    const std::size_t begin = at + word.size();
    std::uint64_t layer = 0;
    const auto [end, error] = std::from_chars(name.data() + begin, name.data() + name.size(), layer);
    const auto shifted = checked::add(layer, shift);
    if (error != std::errc() || !shifted) return std::string(name);
    return std::string(name.substr(0, begin)) + std::to_string(*shifted) +
           std::string(name.substr(static_cast<std::size_t>(end - name.data())));
}

} // namespace wb::megatron
