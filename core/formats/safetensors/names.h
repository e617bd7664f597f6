// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <compare>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace wb::safetensors {

// A name in a list that is to be searched: compared by hash first, because the names of a model start alike.
struct HashedName {
    std::size_t hash;
    std::string_view name;
    std::size_t index; // in the list it comes from

    HashedName(std::string_view text, std::size_t position)
        : hash(std::hash<std::string_view>{}(text)), name(text), index(position) {}

    friend auto operator<=>(const HashedName&, const HashedName&) = default;
    bool sameName(const HashedName& other) const { return hash == other.hash && name == other.name; }
    bool nameBefore(const HashedName& other) const { return hash != other.hash ? hash < other.hash : name < other.name; }
};

// The names of `items` (anything with a member `name`), sorted; the items must stay where they are.
template <typename Item>
std::vector<HashedName> sortedNames(const std::vector<Item>& items) {
    std::vector<HashedName> names;
    names.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) names.emplace_back(items[i].name, i);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace wb::safetensors
