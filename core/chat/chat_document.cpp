// SPDX-License-Identifier: MIT
#include "core/chat/chat_document.h"

#include "core/base/text.h"
#include "core/io/atomic_writer.h"
#include "core/text/jinja/json_values.h"

namespace wb::chat {
namespace {

namespace jinja = text::jinja;

constexpr std::string_view chatFormat = "weighbridge-chat";

const std::string* memberText(const jinja::Dict& members, std::string_view key) {
    const jinja::Value* const value = members.find(key);
    return value && value->text() ? &value->text()->bytes : nullptr;
}

std::optional<Message> itemMessage(const jinja::Value& item) {
    const jinja::Dict* const members = item.dict();
    const std::string* const name = members ? memberText(*members, "role") : nullptr;
    const std::string* const content = members ? memberText(*members, "content") : nullptr;
    const auto role = name ? findRole(*name) : std::nullopt;
    return role && content ? std::optional(Message{*role, *content}) : std::nullopt;
}

// Empty for anything but a document of this format.
std::optional<std::vector<Message>> documentMessages(const jinja::Value& document) {
    const jinja::Dict* const members = document.dict();
    const std::string* const format = members ? memberText(*members, "format") : nullptr;
    const jinja::Value* const list = members ? members->find("messages") : nullptr;
    if (!format || *format != chatFormat || !list || !list->list()) return std::nullopt;
    std::vector<Message> messages;
    for (const jinja::Value& item : *list->list()) {
        auto message = itemMessage(item);
        if (!message) return std::nullopt;
        messages.push_back(*std::move(message));
    }
    return messages;
}

const char* speaker(Role role) { return role == Role::User ? "You" : role == Role::Assistant ? "Model" : "System"; }

} // namespace

void writeMessages(JsonWriter& json, std::span<const Message> messages) {
    json.beginArray();
    for (const Message& message : messages) {
        json.newline();
        json.beginObject();
        json.key("role");
        json.string(roleName(message.role));
        json.key("content");
        json.string(message.content);
        json.endObject();
    }
    json.endArray();
}

std::string chatDocument(std::span<const Message> messages, std::string_view title) {
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

Result<std::vector<Message>> parseChatDocument(std::string_view text, const std::string& name) {
    const auto parsed = isUtf8(text) ? jinja::valueOfJson(text) : std::nullopt;
    auto messages = parsed ? documentMessages(*parsed) : std::nullopt;
    if (messages) return *std::move(messages);
    return fail(ErrorCode::Malformed, Reason("chat.file"), About{name},
                WB_TEXT("{} is not a saved conversation; use a file that the window exported or that --save wrote."), name);
}

std::string chatMarkdown(const Conversation& conversation) {
    std::string text = "# " + conversation.head.title + "\n";
    for (const Turn* turn : conversation.branch()) text += std::string("\n## ") + speaker(turn->role) + "\n\n" + turn->text + "\n";
    return text;
}

Result<void> writeChatFile(const std::filesystem::path& path, std::string_view text) {
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(path));
    WB_TRY(writer.write(text));
    return writer.commit();
}

} // namespace wb::chat
