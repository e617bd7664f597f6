// SPDX-License-Identifier: MIT
#include "core/merge/layer_names.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace wb::merge {
namespace {

constexpr std::uint64_t mostLayers = 100'000;

// Where the first component that is a number begins.
std::optional<std::size_t> numberIn(std::string_view name) {
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string_view word = name.substr(begin, end - begin);
        if (!word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; })) return begin;
        begin = end + 1;
    }
    return std::nullopt;
}

} // namespace

LayerNames::LayerNames(const Model& model) {
    std::map<std::string_view, std::size_t> prefixes;
    for (const TensorInfo& tensor : model.tensors)
        if (const auto at = tensor.logical ? std::nullopt : numberIn(tensor.name); at && *at > 0)
            ++prefixes[std::string_view(tensor.name).substr(0, *at)];
    const auto most = std::ranges::max_element(prefixes, {}, [](const auto& each) { return each.second; });
    if (most == prefixes.end()) return;
    m_prefix = most->first;
    for (const TensorInfo& tensor : model.tensors)
        if (const auto place = tensor.logical ? std::nullopt : layerPlace(tensor.name))
            m_count = std::max(m_count, place->layer + 1);
}

std::optional<LayerNames::Place> LayerNames::layerPlace(std::string_view name) const {
    if (m_prefix.empty() || !name.starts_with(m_prefix)) return std::nullopt;
    name.remove_prefix(m_prefix.size());
    Place place;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), place.layer);
    if (error != std::errc() || place.layer >= mostLayers) return std::nullopt;
    place.rest = name.substr(static_cast<std::size_t>(end - name.data()));
    if (!place.rest.starts_with('.')) return std::nullopt;
    return place;
}

std::string LayerNames::nameIn(std::uint64_t layer, std::string_view rest) const {
    return fmt::format("{}{}{}", m_prefix, layer, rest);
}

} // namespace wb::merge
