// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <optional>

namespace wb {

// True if `bytes` is well-formed UTF-8 (no overlong forms, surrogates or values above U+10FFFF; NUL allowed).
bool isUtf8(std::string_view bytes);

// `bytes` with every maximal ill-formed part replaced by U+FFFD, as the Unicode standard recommends (chapter 3.9).
std::string toUtf8(std::string_view bytes);

// The text with control characters shown as \n, \t, \u001b …, so that it stays on one line of a terminal.
std::string escapeControls(std::string_view text);

// The shortest decimal text that reads back as exactly this number ("nan", "inf", "-inf" for the others).
std::string shortest(double value);
std::string shortest(float value);

// Reads a decimal number that fills the whole text, independent of the locale. The one door for floats from text.
std::optional<double> parseDouble(std::string_view text);

// "1.50 GiB", "812 B": binary units, three significant digits.
std::string humanBytes(unsigned long long bytes);

// "8.03 B", "292.8 K": decimal units for counts.
std::string humanCount(unsigned long long count);

} // namespace wb
