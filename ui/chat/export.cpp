// SPDX-License-Identifier: MIT
#include "ui/chat/export.h"

#include "core/infer/chat_document.h"

#include <QDir>
#include <QSaveFile>

namespace wb::ui::chat {

using namespace wb::chat;

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
    std::vector<infer::ChatMessage> messages;
    for (const Turn* turn : conversation.branch()) messages.push_back({turn->role, turn->text});
    return infer::chatDocument(messages, conversation.head.title);
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
