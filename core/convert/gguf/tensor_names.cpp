// SPDX-License-Identifier: MIT
#include "core/convert/gguf/tensor_names.h"

#include "core/merge/file_order.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wb::convert {

// The reference reads the tensors of a safetensors file by name, whatever their place.
std::vector<std::size_t> sourceOrder(const Model& model) {
    std::vector<std::size_t> order = merge::fileOrder(model);
    const auto isSafetensors = [&model](std::size_t i) {
        const std::size_t file = model.tensors[i].file();
        return file < model.files.size() && model.files[file].name.ends_with(".safetensors");
    };
    if (!std::ranges::all_of(order, isSafetensors)) return order;
    std::ranges::stable_sort(order, {}, [&model](std::size_t i) {
        const TensorInfo& tensor = model.tensors[i];
        return std::pair(std::string_view(model.files[tensor.file()].name), std::string_view(tensor.name));
    });
    return order;
}

bool isDropped(std::string_view name) {
    constexpr std::array<std::string_view, 5> endings = {".attention.masked_bias", ".attention.bias", ".rotary_emb.inv_freq",
                                                         ".attn.masked_bias", ".attn.bias"};
    return std::ranges::any_of(endings, [name](std::string_view ending) { return name.ends_with(ending); });
}

bool isTower(std::string_view name) {
    if (name.starts_with("model.")) name.remove_prefix(6);
    constexpr std::array<std::string_view, 9> towers = {"vision_tower.",          "vision_model.", "visual.",
                                                        "multi_modal_projector.", "embed_vision.", "audio_tower.",
                                                        "audio_model.",           "embed_audio.",  "mm_projector."};
    return std::ranges::any_of(towers, [name](std::string_view tower) { return name.starts_with(tower); });
}

std::string plainName(std::string name) {
    constexpr std::string_view word = "language_model.";
    if (const std::size_t at = name.find(word); at != std::string::npos) name.erase(at, word.size());
    if (name.starts_with("transformer.")) name.erase(0, 12);
    return name;
}

std::optional<std::uint64_t> takeNumber(std::string_view& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

TensorName parseTensorName(std::string_view whole) {
    for (const std::string_view ending : {".weight", ".bias"})
        if (whole.ends_with(ending)) return {whole, whole.substr(0, whole.size() - ending.size()), ending};
    return {whole, whole, ""};
}

std::optional<std::uint64_t> matchRule(const TensorRule& rule, const TensorName& name) {
    std::string_view stem = rule.isWhole() ? name.whole : name.stem;
    if (!rule.isWhole() && name.ending.empty()) return std::nullopt;
    const std::size_t hole = rule.source.find("{}");
    if (hole == std::string_view::npos) return stem == rule.source ? std::optional<std::uint64_t>(0) : std::nullopt;
    if (!stem.starts_with(rule.source.substr(0, hole))) return std::nullopt;
    stem.remove_prefix(hole);
    const auto number = takeNumber(stem);
    return stem == rule.source.substr(hole + 2) ? number : std::nullopt;
}

} // namespace wb::convert
