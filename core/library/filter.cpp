// SPDX-License-Identifier: MIT
#include "core/library/filter.h"

#include "core/base/ascii.h"

namespace wb::library {

std::string searchText(const Entry& entry, const Store& store) {
    std::string text;
    for (const std::string_view part :
         {std::string_view(entry.id), std::string_view(entry.name), std::string_view(formatName(entry.facts.format)),
          std::string_view(entry.facts.architecture), std::string_view(entry.facts.quant), std::string_view(entry.facts.licence),
          std::string_view(ownerName(store.kind)), std::string_view(kindName(store.kind))}) {
        text += part;
        text += '\n'; // so that no word matches across two of them
    }
    return ascii::lowered(text);
}

bool matchesFilter(std::string_view searched, std::string_view filter) {
    const std::string words = ascii::lowered(filter);
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t end = std::min(words.find(' ', begin), words.size());
        if (end > begin && searched.find(std::string_view(words).substr(begin, end - begin)) == std::string_view::npos)
            return false;
        begin = end + 1;
    }
    return true;
}

} // namespace wb::library
