// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

// True if `bytes` is well-formed UTF-8 (no overlong forms, surrogates or values above U+10FFFF; NUL allowed).
bool isUtf8(std::string_view bytes);

// `bytes` with every maximal ill-formed part replaced by U+FFFD, as the Unicode standard recommends (chapter 3.9).
std::string toUtf8(std::string_view bytes);

// The text without the mark that editors on Windows put before UTF-8. What people write for this program may start with one; in the
// files of a model it is a fault, as other loaders refuse it.
std::string_view withoutByteOrderMark(std::string_view text);

// The text with everything that a terminal would obey rather than show written out as \n, \t, \u001b …: control characters, line
// separators and the marks that turn the direction of text. It stays on one line and looks like what it is.
std::string escapeControls(std::string_view text);

// The text as one word of a POSIX shell: in single quotes, where the shell changes nothing.
std::string shellWord(std::string_view text);

// The longest beginning of at most `maximumBytes` bytes that ends between two characters.
std::string_view utf8Prefix(std::string_view text, std::size_t maximumBytes);

// The shortest decimal text that reads back as exactly this number ("nan", "inf", "-inf" for the others).
std::string shortest(double value);
std::string shortest(float value);

// Reads a decimal number that fills the whole text, independent of the locale; empty also where it is too large for a double. The
// one door for floats from text.
std::optional<double> parseDouble(std::string_view text);

// "1.50 GiB", "812 B": binary units, three significant digits (four from 1,000 to 1,023).
std::string humanBytes(unsigned long long bytes);

// "8.03 B", "292.8 K": decimal units for counts.
std::string humanCount(unsigned long long count);

} // namespace wb
