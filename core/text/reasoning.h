// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace wb::text {

// A response of a reasoning model, split at the end of the reasoning. Both parts look into the answer.
struct Reasoned {
    std::string_view reasoning; // without its tags; empty: none exists
    std::string_view answer;
    bool isOpen = false; // the reasoning has not ended yet
};

// Finds the first stretch between <think> and </think> at the beginning of an answer, as most open models write it. Templates often
// write the opening tag into the prompt: an answer with a closing tag alone starts inside.
Reasoned splitReasoning(std::string_view answer);

// Splits an answer that grows at its end. The result is that of splitReasoning(); the work is that of the new bytes.
class GrowingReasoning {
public:
    // `answer` starts with the answer of the call before.
    Reasoned split(std::string_view answer);

private:
    std::size_t m_searched = 0;  // bytes in which no closing tag starts
    std::size_t m_from = 0;      // where the reasoning starts …
    std::size_t m_closing = 0;   // … and the closing tag
    bool m_hasReasoning = false; // it has ended
    bool m_isPlain = false;      // the answer has none, whatever follows
};

} // namespace wb::text
