// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/json_writer.h"
#include "core/base/result.h"
#include "core/chat/conversation.h"

#include <filesystem>
#include <span>

// Conversations as files, which both programs write and `wb chat --load` reads:
// {"format":"weighbridge-chat","version":1,"title"?,"messages":[{"role","content"},…]}.
namespace wb::chat {

// An array of {"role", "content"}, one message per line.
void writeMessages(JsonWriter& json, std::span<const Message> messages);

// The document; an empty title is omitted.
std::string chatDocument(std::span<const Message> messages, std::string_view title = {});

// The messages of a document; further members are ignored. `name` is the file's, for the sentence. Malformed for anything else.
Result<std::vector<Message>> parseChatDocument(std::string_view text, const std::string& name);

// The shown branch under its title, for people.
std::string chatMarkdown(const Conversation& conversation);

// Writes a text to a file, atomically. NotWritable.
Result<void> writeChatFile(const std::filesystem::path& path, std::string_view text);

} // namespace wb::chat
