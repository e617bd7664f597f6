// SPDX-License-Identifier: MIT
#include "core/base/glob.h"

#include <cstddef>

namespace wb {
namespace {

// Matches one character against the head of the pattern. `length` is how much of the pattern that head takes.
bool headMatches(std::string_view pattern, char c, std::size_t& length) {
    length = 1;
    if (pattern.front() == '?') return true;
    const std::size_t close = pattern.front() == '[' ? pattern.find(']', 2) : std::string_view::npos;
    if (close == std::string_view::npos) return pattern.front() == c;
    length = close + 1;
    std::string_view set = pattern.substr(1, close - 1);
    const bool negated = set.front() == '!' && set.size() > 1;
    if (negated) set.remove_prefix(1);
    bool found = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
        const bool range = i + 2 < set.size() && set[i + 1] == '-';
        found = found || (range ? c >= set[i] && c <= set[i + 2] : c == set[i]);
        if (range) i += 2;
    }
    return found != negated;
}

} // namespace

bool globMatches(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos; // after the last '*', to which a mismatch returns
    std::size_t starText = 0;
    while (t < text.size()) {
        std::size_t length = 0;
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            starText = t;
        } else if (p < pattern.size() && headMatches(pattern.substr(p), text[t], length)) {
            p += length;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star;
            t = ++starText;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

} // namespace wb
