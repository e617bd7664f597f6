// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/chat_prompt.h"

#include <QPlainTextEdit>

#include <vector>

namespace wb::ui::chat {

// The conversation as text that can be selected and copied: whose turn it is, then what was said. An answer grows at the end;
// whoever has scrolled back stays where they are.
class Transcript : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit Transcript(QWidget* parent = nullptr);

    void setMessages(const std::vector<infer::ChatMessage>& messages); // anew
    void addTurn(const infer::ChatMessage& message);
    void append(const QString& text);  // to the last turn
    void addNote(const QString& text); // why an answer ended

protected:
    void changeEvent(QEvent* event) override;

private:
    void insert(const QString& text, const QTextCharFormat& format);
    QTextCharFormat heading() const;
};

} // namespace wb::ui::chat
