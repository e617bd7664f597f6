// SPDX-License-Identifier: MIT
#include "core/text/reasoning.h"

namespace wb::text {
namespace {

constexpr std::string_view opening = "<think>";
constexpr std::string_view closing = "</think>";
constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view withoutLeadingBlanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

} // namespace

Reasoned splitReasoning(std::string_view answer) {
    const std::string_view text = withoutLeadingBlanks(answer);
    const bool begins = text.starts_with(opening);
    const std::size_t end = text.find(closing);
    if (end == std::string_view::npos) {
        if (begins) return {trimmed(text.substr(opening.size())), {}, true};
        return {{}, answer, false};
    }
    // A closing tag far behind other tags is the answer's own text.
    if (!begins && text.substr(0, end).find(opening) != std::string_view::npos) return {{}, answer, false};
    const std::size_t from = begins ? opening.size() : 0;
    return {trimmed(text.substr(from, end - from)), withoutLeadingBlanks(text.substr(end + closing.size())), false};
}

} // namespace wb::text
