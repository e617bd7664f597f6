// SPDX-License-Identifier: MIT
#include "ui/chat/choose_page.h"

#include "ui/chat/labels.h"
#include "ui/chat/model_list.h"
#include "ui/widgets/translate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui::chat {

ChoosePage::ChoosePage(QAction* settings, QWidget* parent)
    : QWidget(parent), m_error(makeTextLabel(this, "error")), m_list(new ModelList(this)) {
    auto* invitation = makeTextLabel(this, "invitation");
    keepTranslated(this, [invitation] {
        invitation->setText(
            tr("Choose a model to chat with, or drop a GGUF file here. It runs on this computer; nothing is sent anywhere."));
    });
    auto* answers = new QToolButton(this);
    answers->setDefaultAction(settings);
    answers->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* row = new QHBoxLayout;
    row->addWidget(invitation, 1);
    row->addWidget(answers, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(32, 24, 32, 24);
    layout->setSpacing(12);
    layout->addLayout(row);
    layout->addWidget(m_error);
    layout->addWidget(m_list, 1);
    setError({});
}

void ChoosePage::setError(const QString& sentence) {
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
}

} // namespace wb::ui::chat
