// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace wb::ui::chat {

// The ways out of a full context.
struct ContextChoice {
    std::size_t longer = 0;  // tokens of a longer context; 0: the model has no longer one
    int turnsToLeaveOut = 0; // at the beginning of the conversation; 0: none
    bool isOffered = false;
};

} // namespace wb::ui::chat
