// SPDX-License-Identifier: MIT
#include "ui/chat/choose_page.h"

#include "ui/chat/labels.h"
#include "ui/chat/model_list.h"
#include "ui/widgets/translate.h"

#include <QLabel>
#include <QVBoxLayout>

namespace wb::ui::chat {

ChoosePage::ChoosePage(QWidget* parent) : QWidget(parent), m_error(makeTextLabel(this, "error")), m_list(new ModelList(this)) {
    auto* invitation = makeTextLabel(this, "invitation");
    keepTranslated(this, [invitation] {
        invitation->setText(
            tr("Choose a model to chat with, or drop a GGUF file here. It runs on this computer; nothing is sent anywhere."));
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(32, 24, 32, 24);
    layout->setSpacing(12);
    layout->addWidget(invitation);
    layout->addWidget(m_error);
    layout->addWidget(m_list, 1);
    setError({});
}

void ChoosePage::setError(const QString& sentence) {
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
}

} // namespace wb::ui::chat
