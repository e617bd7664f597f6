// SPDX-License-Identifier: MIT
#pragma once

#include "ui/chat/transcript.h"

#include <optional>

namespace wb::ui::chat {

class ChatSession;

// The turns of the branch that is shown, as the transcript shows them, with the sentence that says why a response ended.
std::vector<ShownTurn> shownTurns(const ChatSession& session);

// The last of them; empty: none exists.
std::optional<ShownTurn> shownLastTurn(const ChatSession& session);

} // namespace wb::ui::chat
