// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wb::text {

inline constexpr std::string_view blankMark = "\u2581";   // stands for a blank in the tokens of SentencePiece
inline constexpr std::string_view replacement = "\uFFFD"; // of bytes that are no character

// Bytes of the character that this lead byte starts; 1 for bytes that start none.
inline std::size_t characterBytes(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF8 ? 4 : 1;
}

// The code point at `at` of valid UTF-8, which moves after it.
char32_t nextCodePoint(std::string_view text, std::size_t& at);

void appendUtf8(std::string& out, char32_t codePoint);

// The text with every byte that belongs to no character replaced by U+FFFD, each by one: what the tokenizers are given
// (docs/reference/command_line.md, "tokenize"). wb::toUtf8 replaces maximal parts instead.
std::string utf8OfBytes(std::string_view bytes);

// Turns bytes that arrive in parts into whole characters. The bytes of an incomplete character at the end are held back; an invalid
// byte becomes U+FFFD at once.
class Utf8Stream {
public:
    std::string add(std::string_view bytes); // what can be shown now
    std::string finish();                    // U+FFFD for pending bytes, which are discarded

private:
    std::string m_held;
};

} // namespace wb::text
