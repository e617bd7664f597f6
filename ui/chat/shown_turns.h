// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation.h"
#include "ui/chat/transcript.h"

namespace wb::ui::chat {

// A turn of a conversation as the transcript shows it, with the sentence that says why an answer ended. `growing` is the turn that
// is being written, and up to `leftOut` turns are not given to the model any more; 0: none.
ShownTurn shownTurn(const wb::chat::Conversation& conversation, const wb::chat::Turn& turn, std::int64_t growing,
                    std::int64_t leftOut);

// All turns of the branch that is shown.
std::vector<ShownTurn> shownTurns(const wb::chat::Conversation& conversation, std::int64_t growing, std::int64_t leftOut);

} // namespace wb::ui::chat
