// SPDX-License-Identifier: MIT
#include "ui/chat/transcript.h"

#include "ui/widgets/translate.h"

#include <QEvent>
#include <QScrollBar>
#include <QTextBlock>

namespace wb::ui::chat {

Transcript::Transcript(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("transcript"));
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(16);
    keepTranslated(this, [this] { setAccessibleName(tr("Conversation")); });
}

QTextCharFormat Transcript::heading() const {
    QTextCharFormat format;
    format.setFontWeight(QFont::DemiBold);
    format.setForeground(palette().link());
    return format;
}

// Headings were coloured by the theme that was there when they were written.
void Transcript::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    QTextCursor cursor(document());
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.begin().atEnd() || block.begin().fragment().charFormat().fontWeight() != QFont::DemiBold) continue;
        cursor.setPosition(block.position());
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(heading());
    }
}

void Transcript::insert(const QString& text, const QTextCharFormat& format) {
    QScrollBar* const bar = verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text, format);
    if (atEnd) bar->setValue(bar->maximum());
}

void Transcript::setMessages(const std::vector<infer::ChatMessage>& messages) {
    clear();
    for (const infer::ChatMessage& message : messages) addTurn(message);
}

void Transcript::addTurn(const infer::ChatMessage& message) {
    if (!document()->isEmpty()) insert(QStringLiteral("\n\n"), {});
    insert(message.role == "user" ? tr("You") : tr("Model"), heading());
    insert(QStringLiteral("\n") + QString::fromStdString(message.content), {});
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void Transcript::append(const QString& text) { insert(text, {}); }

void Transcript::addNote(const QString& text) {
    QTextCharFormat format;
    format.setFontItalic(true);
    insert(QStringLiteral("\n") + text, format);
}

} // namespace wb::ui::chat
