// SPDX-License-Identifier: MIT
#pragma once

#include "core/chat/conversation_store.h"

#include <QString>

namespace wb::store {

// Opens the conversations that are in one SQLite file, which is made where it does not exist, with its folder. A file that SQLite
// finds damaged is set aside next to it, and what can still be read moves to the new one; takeNotice() then reports it. A file of a
// newer version of this program is Unsupported. Several programs may have it open at once.
Result<std::unique_ptr<chat::ConversationStore>> openConversations(const QString& file);

} // namespace wb::store
