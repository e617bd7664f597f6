// SPDX-License-Identifier: MIT
#pragma once

#include "core/text/jinja/value.h"

// What string methods and filters share: Python's rules for text.
namespace wb::text::jinja {

bool isSpace(char32_t c); // str.isspace

std::string upperCase(const std::string& text);
std::string swappedCase(const std::string& text);
std::string lowerCase(const std::string& text);
std::string titleCase(const std::string& text);
std::string capitalized(const std::string& text);

// str.strip: without the characters of the set, or white space, at its ends.
Text stripped(const Text& text, const std::optional<std::string>& characters, bool left, bool right);

// str.replace; count below 0: all.
Text replaced(const Text& text, const Text& from, const Text& to, std::int64_t count, Meter& meter);

// str.split and str.rsplit; null or none: at runs of white space. maxParts: divisions, below 0: all.
List splitText(const Text& text, const Value* separator, std::int64_t maxParts, bool fromRight, Meter& meter);

} // namespace wb::text::jinja
