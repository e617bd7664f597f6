// SPDX-License-Identifier: MIT
#include "core/text/reasoning.h"

#include <algorithm>

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

Reasoned splitReasoning(std::string_view answer) { return GrowingReasoning().split(answer); }

Reasoned GrowingReasoning::split(std::string_view answer) {
    if (m_isPlain) return {{}, answer, false};
    if (!m_hasReasoning) {
        const std::size_t first = std::min(answer.find_first_not_of(blanks), answer.size());
        const std::size_t end = answer.find(closing, std::max(first, m_searched));
        const bool begins = answer.substr(first).starts_with(opening);
        if (end == std::string_view::npos) {
            m_searched = answer.size() - std::min(answer.size(), closing.size() - 1);
            if (begins) return {trimmed(answer.substr(first + opening.size())), {}, true};
            return {{}, answer, false};
        }
        // A closing tag far behind other tags is the answer's own text.
        m_isPlain = !begins && answer.substr(first, end - first).find(opening) != std::string_view::npos;
        if (m_isPlain) return {{}, answer, false};
        m_from = first + (begins ? opening.size() : 0);
        m_closing = end;
        m_hasReasoning = true;
    }
    return {trimmed(answer.substr(m_from, m_closing - m_from)), withoutLeadingBlanks(answer.substr(m_closing + closing.size())),
            false};
}

} // namespace wb::text
