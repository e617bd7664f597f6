// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Credentials left in a file: they run nothing, but anyone with the file can use them.
namespace wb::scan {

struct Secret {
    std::size_t position = 0;
    const char* owner = ""; // who gives out such tokens; empty: a private key
    std::string masked;     // its beginning and its length, never the whole
};

// Private keys in the text form of RFC 7468 and tokens by their makers' prefixes, at most 20. Placeholders ("hf_xxxxxxxx…") and the
// examples of manuals are none. Linear in the length of `text`.
std::vector<Secret> findSecrets(std::string_view text);

} // namespace wb::scan
