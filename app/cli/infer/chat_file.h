// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/chat_prompt.h"

// Conversations as the window exports them (docs/reference/command_line.md, "chat"):
// {"format":"weighbridge-chat","version":1,"messages":[{"role","content"},…]}.
namespace wb::cli {

// Malformed, with the path as typed, for what is no such file; further members are passed over.
Result<std::vector<infer::ChatMessage>> readChatFile(const std::string& path);

// Written whole or not at all.
Result<void> writeChatFile(const std::string& path, std::span<const infer::ChatMessage> messages);

} // namespace wb::cli
