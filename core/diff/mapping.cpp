// SPDX-License-Identifier: MIT
#include "core/diff/mapping.h"

#include <algorithm>
#include <array>

namespace wb::diff {
namespace {

// In the order of Mapping.
constexpr std::array<const char*, 17> names = {"same",     "cast",    "dequantized", "transposed", "axes",   "permuted",
                                               "reshaped", "stacked", "split",       "fused",      "folded", "shifted",
                                               "negexp",   "tied",    "padded",      "scaled",     "guess"};

} // namespace

const char* mappingName(Mapping mapping) { return names[static_cast<std::size_t>(mapping)]; }

std::string mappingText(const Mappings& mappings) {
    std::string text;
    for (const Mapping mapping : mappings) (text += text.empty() ? "" : "+") += mappingName(mapping);
    return text.empty() ? mappingName(Mapping::Same) : text;
}

std::optional<Mappings> mappingsFromText(std::string_view text) {
    Mappings mappings;
    while (true) {
        const std::string_view word = text.substr(0, text.find('+'));
        const auto found = std::ranges::find(names, word, [](const char* name) { return std::string_view(name); });
        if (found == names.end()) return std::nullopt;
        mappings.push_back(static_cast<Mapping>(found - names.begin()));
        if (word.size() == text.size()) return mappings;
        text.remove_prefix(word.size() + 1);
    }
}

} // namespace wb::diff
