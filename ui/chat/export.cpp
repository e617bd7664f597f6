// SPDX-License-Identifier: MIT
#include "ui/chat/export.h"

#include "core/base/json_writer.h"

#include <QDir>
#include <QSaveFile>

namespace wb::ui::chat {

std::string markdownOf(const Conversation& conversation) {
    std::string text = "# " + conversation.head.title + "\n";
    for (const Turn* turn : conversation.branch())
        text += std::string("\n## ") +
                (turn->role == "user"        ? "You"
                 : turn->role == "assistant" ? "Model"
                                             : turn->role.c_str()) +
                "\n\n" + turn->text + "\n";
    return text;
}

std::string jsonOf(const Conversation& conversation) {
    std::string text;
    JsonWriter json([&text](std::string_view part) { text += part; });
    json.beginObject();
    json.key("format");
    json.string("weighbridge-chat");
    json.key("version");
    json.integer(1);
    json.key("title");
    json.string(conversation.head.title);
    json.key("messages");
    json.beginArray();
    for (const Turn* turn : conversation.branch()) {
        json.newline();
        json.beginObject();
        json.key("role");
        json.string(turn->role);
        json.key("content");
        json.string(turn->text);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.finish();
    return text + "\n";
}

Result<void> writeText(const QString& path, const std::string& text) {
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly) &&
                           file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()) &&
                           file.commit();
    if (isWritten) return {};
    const std::string name = QDir::toNativeSeparators(path).toStdString();
    return fail(ErrorCode::NotWritable, Reason("chat.not_written"), About{name},
                WB_TEXT("{} could not be written; see whether its folder is writable and has space."), name);
}

} // namespace wb::ui::chat
