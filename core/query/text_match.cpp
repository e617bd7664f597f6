// SPDX-License-Identifier: MIT
#include "core/query/text_match.h"

#include "core/base/ascii.h"

#include <algorithm>

namespace wb::query {
bool containsLowered(std::string_view text, std::string_view part) {
    if (part.empty()) return true;
    const char first = part.front();
    const char capital = ascii::upper(first);
    for (std::size_t i = 0; i + part.size() <= text.size(); ++i)
        if ((text[i] == first || text[i] == capital) && equalsLowered(text.substr(i, part.size()), part)) return true;
    return false;
}

bool equalsLowered(std::string_view text, std::string_view wanted) { return std::ranges::equal(text, wanted, {}, ascii::lower); }

bool fitsGlob(std::string_view text, std::string_view pattern) {
    std::size_t t = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos; // the last * seen, and where the text stood when it was
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == ascii::lower(text[t]))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace wb::query
