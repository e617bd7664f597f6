// SPDX-License-Identifier: MIT
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace wb::text {

// The strings that a regular expression of JSON Schema (ECMA-262 with u) finds itself in, as the right side of a rule in GBNF:
// the text between the quotes of a JSON string, quotes, backslashes and control characters escaped by their short forms.
// Understood: literals, escapes, classes, \d \w \s and their opposites, `.`, groups, alternatives, ? * + {m} {m,} {m,n}, lazy or
// not, ^ at the beginning and $ at the end of the whole or of an alternative of it. Other anchors, look-around and references
// are refused: what is answered then is what cannot be enforced, as a part of an English sentence. The rule `char` must be there.
std::expected<std::string, std::string> expressionOfPattern(std::string_view pattern);

} // namespace wb::text
