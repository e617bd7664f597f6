// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/infer/chat_prompt.h"

namespace wb::infer {

// The "format" of a saved conversation: {"format", "version", "title"?, "messages"} (docs/reference/command_line.md, "chat").
inline constexpr std::string_view chatFormat = "weighbridge-chat";

// An array of {"role", "content"}, one message a line.
void writeMessages(JsonWriter& json, std::span<const ChatMessage> messages);

// A saved conversation as both programs write it; without a title it has none.
std::string chatDocument(std::span<const ChatMessage> messages, std::string_view title = {});

} // namespace wb::infer
