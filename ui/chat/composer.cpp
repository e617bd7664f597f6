// SPDX-License-Identifier: MIT
#include "ui/chat/composer.h"

#include "ui/widgets/translate.h"

#include <QKeyEvent>

namespace wb::ui::chat {

Composer::Composer(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("composer"));
    setTabChangesFocus(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    keepTranslated(this, [this] {
        setAccessibleName(tr("Message"));
        setPlaceholderText(tr("Type a message. Press Enter to send, Shift+Enter for a new line."));
    });
}

QSize Composer::sizeHint() const {
    constexpr int lines = 3;
    return {400, fontMetrics().lineSpacing() * lines + 2 * static_cast<int>(document()->documentMargin()) + 2 * frameWidth()};
}

void Composer::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && !(event->modifiers() & Qt::ShiftModifier)) return emit sendWanted();
    QPlainTextEdit::keyPressEvent(event);
}

} // namespace wb::ui::chat
