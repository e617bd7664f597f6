// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb::text::jinja {

enum class TokenKind { Data, OutputBegin, OutputEnd, TagBegin, TagEnd, Name, String, Integer, Float, Operator, End };

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text; // Data and String: the characters; Name, Integer, Float, Operator: as written, digits without underscores
    std::size_t line = 1;
};

// The tokens of a template with trim_blocks and lstrip_blocks on (docs/reference/tokenizers.md, "Language"). Throws Failure.
std::vector<Token> tokenize(std::string_view source);

// The same for other rooms: nothing where the source is not a template.
std::optional<std::vector<Token>> lexTokens(std::string_view source);

} // namespace wb::text::jinja
