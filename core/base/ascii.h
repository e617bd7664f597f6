// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

// Letters and digits of ASCII, whatever the locale; all other bytes stay as they are.
namespace wb::ascii {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
// The value of a hexadecimal digit in either case; -1 for any other character.
constexpr int hexValue(char c) {
    return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
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
