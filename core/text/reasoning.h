// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace wb::text {

// An answer of a model that thinks aloud, cut where the thinking ends. Both parts look into the answer.
struct Reasoned {
    std::string_view reasoning; // without its tags; empty: there is none
    std::string_view answer;
    bool isOpen = false; // the reasoning has not ended yet
};

// Finds the first stretch between <think> and </think> at the beginning of an answer, as most open models write it. Templates often
// write the opening tag into the prompt: an answer with a closing tag alone begins inside.
Reasoned splitReasoning(std::string_view answer);

} // namespace wb::text
