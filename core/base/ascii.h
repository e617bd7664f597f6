// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

// Letters and digits of ASCII, whatever the locale; all other bytes stay as they are.
namespace wb::ascii {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

inline std::string lowered(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), lower);
    return out;
}

// Equal in either case.
constexpr bool same(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

} // namespace wb::ascii
