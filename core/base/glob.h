// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace wb {

// Whether `text` matches `pattern` as a whole: * any run of characters, ? any one, [abc] [a-z] [!a] one of a set. Time is bounded
// by the product of the lengths. A '[' without its ']' stands for itself.
bool globMatches(std::string_view pattern, std::string_view text);

} // namespace wb
