// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace wb::io {

// Whether the text is exactly so many small hexadecimal digits, as hashes are named.
inline bool isHex(std::string_view text, std::size_t digits) {
    return text.size() == digits &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace wb::io
