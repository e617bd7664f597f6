// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wb::infer {

// Counts the tokens that an answer spends between <think> and </think>. The opening tag is the last of the prompt or the first of
// the answer, as core/text/reasoning.h finds it.
class ReasoningBudget {
public:
    // The text that ends a reasoning that has used up its budget.
    static constexpr std::string_view ending = "\n</think>\n\n";

    // `promptEnd`: the last words that the model reads, tags included. Without tokens there is no limit.
    ReasoningBudget(std::optional<std::size_t> tokens, std::string_view promptEnd);

    // A token of the answer, by its text, tags included.
    void add(std::string_view piece);

    // The reasoning has used up its budget and has not ended: `ending` has to be written now.
    bool mustEnd() const { return m_state == State::Inside && m_limit && m_count >= *m_limit; }
    // It has been written.
    void setEnded();
    bool wasCut() const { return m_wasCut; }

private:
    enum class State { Before, Inside, Over };

    State m_state = State::Before;
    std::optional<std::size_t> m_limit;
    std::size_t m_count = 0;
    std::string m_text; // while a tag may are in it: the answer's beginning, then the end of the reasoning so far
    bool m_wasCut = false;
};

} // namespace wb::infer
