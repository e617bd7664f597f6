// SPDX-License-Identifier: MIT
#include "ui/shell/message_line.h"

#include "ui/widgets/card.h"
#include "ui/widgets/plain_text.h"

#include <QAccessible>

#include <chrono>

namespace wb::ui {

MessageLine::MessageLine(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("message"));
    setContentsMargins(10, 0, 10, 0);
    setTextFormat(Qt::PlainText); // names of files may look like markup
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_clear.setSingleShot(true);
    m_clear.setInterval(std::chrono::seconds(10));
    connect(&m_clear, &QTimer::timeout, this, &QLabel::clear);
}

void MessageLine::showMessage(const QString& text, bool isError) {
    m_isError = isError;
    setText(text);
    setToolTip(plainText(text));
    setTone(this, isError ? Tone::Error : Tone::Normal);
    if (isError) m_clear.stop();
    else m_clear.start();
    QAccessibleEvent event(this, isError ? QAccessible::Alert : QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

void MessageLine::forgetError() {
    if (m_isError) retract(text());
}

void MessageLine::retract(const QString& text) {
    if (text != this->text()) return;
    clear();
    setToolTip({});
}

} // namespace wb::ui
