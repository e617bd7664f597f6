// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

// Matching of text in either case (ASCII; names of tensors are mostly ASCII).
namespace wb::query {

// Whether `text` contains `part`, which is in lower case already.
bool containsLowered(std::string_view text, std::string_view part);

bool equalsLowered(std::string_view text, std::string_view wanted);

// Whether the whole text fits the pattern (in lower case already): * is any run of characters, ? is one. Linear in practice,
// at most the product of both lengths.
bool fitsGlob(std::string_view text, std::string_view pattern);

} // namespace wb::query
