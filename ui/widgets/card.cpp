// SPDX-License-Identifier: MIT
#include "ui/widgets/card.h"

#include "ui/widgets/elided_label.h"

#include <QStyle>
#include <QVBoxLayout>

namespace wb::ui {

Card::Card(QWidget* parent) : QFrame(parent), m_heading(makeHeading(this)), m_content(new QVBoxLayout) {
    setProperty("card", true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(10);
    layout->addWidget(m_heading);
    layout->addLayout(m_content, 1);
    m_content->setSpacing(8);
    m_heading->hide();
}

void Card::setHeading(const QString& text) {
    m_heading->setText(text);
    m_heading->setVisible(!text.isEmpty());
}

QLabel* makeHeading(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("heading", "section");
    return label;
}

QLabel* makeElidedHeading(QWidget* parent) {
    auto* label = new ElidedLabel(parent);
    label->setProperty("heading", "section");
    return label;
}

QLabel* makeMutedLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("muted", true);
    label->setWordWrap(true);
    return label;
}

void setTone(QLabel* label, Tone tone) {
    const bool isError = tone == Tone::Error;
    if (label->property("isError").toBool() == isError) return;
    label->setProperty("isError", isError);
    label->style()->unpolish(label); // the style sheet asks for the property
    label->style()->polish(label);
}

} // namespace wb::ui
