// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/chat/conversation.h"

#include <QString>

namespace wb::ui::chat {

// The branch that is shown, as a document.
std::string markdownOf(const wb::chat::Conversation& conversation);
// The same as `wb chat --load` reads it: {"format":"weighbridge-chat","version":1,"messages":[…]}.
std::string jsonOf(const wb::chat::Conversation& conversation);

// Writes a text to a file: whole or not at all. NotWritable.
Result<void> writeText(const QString& path, const std::string& text);

} // namespace wb::ui::chat
