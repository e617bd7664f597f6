// SPDX-License-Identifier: MIT
#include "ui/shell/start/starter_card.h"

#include "ui/widgets/plain_text.h"
#include "ui/widgets/translate.h"

#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui {

StarterCard::StarterCard(const QString& path, QWidget* parent)
    : Card(parent), m_path(path), m_text(makeMutedLabel(this)), m_open(new QPushButton(this)), m_browse(new QPushButton(this)) {
    content()->addWidget(m_text);
    content()->addWidget(m_open, 0, Qt::AlignLeft);
    content()->addWidget(m_browse, 0, Qt::AlignLeft);
    connect(m_browse, &QPushButton::clicked, this, &StarterCard::browseWanted);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openWanted(m_path); });
    keepTranslated(this, [this] { refresh(); });
}

void StarterCard::refresh() {
    const bool isThere = QFileInfo::exists(m_path);
    m_open->setVisible(isThere);
    setHeading(isThere ? tr("Starter model") : tr("Get a model"));
    m_open->setText(tr("Open starter model"));
    m_open->setToolTip(plainText(QDir::toNativeSeparators(m_path)));
    m_browse->setVisible(!isThere);
    m_browse->setText(tr("Browse models"));
    m_text->setText(isThere
                        ? tr("SmolLM2 135M Instruct, a small language model, is available on this computer.")
                        : tr("Choose a model in Browse, download it, and chat with it offline. GGUF files run on this computer."));
}

} // namespace wb::ui
