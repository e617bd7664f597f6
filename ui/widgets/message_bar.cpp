// SPDX-License-Identifier: MIT
#include "ui/widgets/message_bar.h"

#include "ui/widgets/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/translate.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace wb::ui {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_text(new QLabel(this)), m_action(new QPushButton(this)) {
    setObjectName(QStringLiteral("messageBar"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_action->setObjectName(QStringLiteral("messageAction"));
    auto* dismiss = new QToolButton(this);
    dismiss->setObjectName(QStringLiteral("dismiss"));
    dismiss->setIcon(icon(QStringLiteral("close")));
    dismiss->setAccessibleName(tr("Dismiss"));
    dismiss->setToolTip(tr("Dismiss"));
    connect(m_action, &QPushButton::clicked, this, &MessageBar::actionChosen);
    connect(dismiss, &QToolButton::clicked, this, &QWidget::hide);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->setSpacing(10);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(dismiss);
    hide();
    keepTranslated(this, [this] { retranslate(); });
}

void MessageBar::showMessage(const Sentence& sentence, const QString& action) {
    m_sentence = sentence;
    retranslate();
    m_action->setText(action);
    m_action->setVisible(!action.isEmpty());
    show();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBar::retranslate() {
    const QString shown = m_sentence.text();
    m_text->setText(shown);
    setAccessibleName(shown);
}

QString MessageBar::text() const { return m_text->text(); }

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor background = themeColors().error;
    painter.setPen(QPen(background, 1));
    background.setAlpha(26);
    painter.setBrush(background);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace wb::ui
