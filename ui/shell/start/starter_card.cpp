// SPDX-License-Identifier: MIT
#include "ui/shell/start/starter_card.h"

#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/translate.h"

#include <QDir>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui {

StarterCard::StarterCard(const QString& path, QWidget* parent)
    : Card(parent), m_path(path), m_text(makeMutedLabel(this)), m_command(new QLabel(QStringLiteral("./dev run"), this)),
      m_open(new QPushButton(this)) {
    m_command->setFont(numberFont());
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    content()->addWidget(m_text);
    content()->addWidget(m_command);
    content()->addWidget(m_open, 0, Qt::AlignLeft);
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openWanted(m_path); });
    keepTranslated(this, [this] { refresh(); });
}

void StarterCard::refresh() {
    const bool isThere = QFileInfo::exists(m_path);
    setVisible(!m_path.isEmpty());
    m_open->setVisible(isThere);
    setHeading(tr("Starter model"));
    m_open->setText(tr("Open starter model"));
    m_open->setToolTip(plainText(QDir::toNativeSeparators(m_path)));
    m_command->setVisible(!isThere);
    m_text->setText(isThere ? tr("SmolLM2 135M Instruct, a small language model, is available on this computer.")
                            : tr("SmolLM2 135M Instruct is not on this computer yet. To download it, run this command once:"));
}

} // namespace wb::ui
