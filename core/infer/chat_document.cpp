// SPDX-License-Identifier: MIT
#include "core/infer/chat_document.h"

namespace wb::infer {

void writeMessages(JsonWriter& json, std::span<const ChatMessage> messages) {
    json.beginArray();
    for (const ChatMessage& message : messages) {
        json.newline();
        json.beginObject();
        json.key("role");
        json.string(message.role);
        json.key("content");
        json.string(message.content);
        json.endObject();
    }
    json.endArray();
}

std::string chatDocument(std::span<const ChatMessage> messages, std::string_view title) {
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    json.beginObject();
    json.key("format");
    json.string(chatFormat);
    json.key("version");
    json.integer(1);
    if (!title.empty()) {
        json.key("title");
        json.string(title);
    }
    json.key("messages");
    writeMessages(json, messages);
    json.endObject();
    json.finish();
    return text + '\n';
}

} // namespace wb::infer
