// SPDX-License-Identifier: MIT
#include "core/infer/reasoning_budget.h"

#include <algorithm>

namespace wb::infer {
namespace {

constexpr std::string_view opening = "<think>";
constexpr std::string_view closing = "</think>";
constexpr std::string_view blanks = " \t\r\n";

} // namespace

ReasoningBudget::ReasoningBudget(std::optional<std::size_t> tokens, std::string_view promptEnd) : m_limit(tokens) {
    promptEnd = promptEnd.substr(0, promptEnd.find_last_not_of(blanks) + 1);
    if (promptEnd.ends_with(opening)) m_state = State::Inside;
}

void ReasoningBudget::add(std::string_view piece) {
    if (m_state == State::Over) return;
    m_text += piece;
    if (m_state == State::Before) {
        const std::size_t first = std::min(m_text.find_first_not_of(blanks), m_text.size());
        const std::string_view begun = std::string_view(m_text).substr(first);
        if (begun.starts_with(opening)) m_state = State::Inside;
        else if (!opening.starts_with(begun)) m_state = State::Over;
        return;
    }
    ++m_count;
    if (m_text.find(closing) != std::string::npos) m_state = State::Over;
    else if (m_text.size() > closing.size()) m_text.erase(0, m_text.size() - closing.size());
}

void ReasoningBudget::setEnded() {
    m_state = State::Over;
    m_wasCut = true;
}

} // namespace wb::infer
