// SPDX-License-Identifier: MIT
#include "ui/chat/choose_page.h"

#include "ui/chat/labels.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/translate.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui::chat {

ChoosePage::ChoosePage(QWidget* parent) : QWidget(parent), m_error(makeTextLabel(this, "error")), m_recent(new QVBoxLayout) {
    auto* invitation = makeTextLabel(this, "invitation");
    auto* choose = new QPushButton(this);
    choose->setObjectName(QStringLiteral("choose"));
    connect(choose, &QPushButton::clicked, this, &ChoosePage::chooseWanted);
    keepTranslated(this, [invitation, choose] {
        invitation->setText(
            tr("Chat with a model on this computer: drop a GGUF file here or choose one. Nothing is sent anywhere."));
        choose->setText(tr("Choose model…"));
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->setSpacing(12);
    layout->addWidget(invitation);
    layout->addWidget(choose, 0, Qt::AlignLeft);
    layout->addWidget(m_error);
    layout->addLayout(m_recent);
    layout->addStretch(1);
    setError({});
}

void ChoosePage::setError(const QString& sentence) {
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
}

void ChoosePage::setRecent(const QStringList& paths) {
    if (paths == m_shown) return; // so that the keyboard stays where it is
    m_shown = paths;
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        item->widget()->hide(); // it may be the one that was clicked
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString& path : paths) {
        auto* button = new QPushButton(QFileInfo(path).fileName().replace(QLatin1Char('&'), QStringLiteral("&&")), this);
        button->setFlat(true);
        button->setToolTip(plainText(path));
        connect(button, &QPushButton::clicked, this, [this, path] { emit chosen(path); });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
    }
}

} // namespace wb::ui::chat
