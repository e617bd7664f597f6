// SPDX-License-Identifier: MIT
#include "ui/convert/run/kept_bar.h"

#include "ui/widgets/icons.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace wb::ui::convert {

KeptBar::KeptBar(QWidget* parent) : QFrame(parent), m_text(new QLabel(this)) {
    setObjectName(QStringLiteral("keptBar"));
    m_text->setObjectName(QStringLiteral("keptText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    auto* resume = new QPushButton(icon(QStringLiteral("resume")), tr("Resume"), this);
    resume->setObjectName(QStringLiteral("keptResume"));
    auto* discard = new QPushButton(icon(QStringLiteral("trash")), tr("Discard…"), this);
    discard->setObjectName(QStringLiteral("keptDiscard"));
    connect(resume, &QPushButton::clicked, this, &KeptBar::resumeWanted);
    connect(discard, &QPushButton::clicked, this, &KeptBar::discardWanted);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text, 1);
    layout->addWidget(resume);
    layout->addWidget(discard);
    hide();
}

void KeptBar::showKept(const UnfinishedRun* kept) {
    setVisible(kept != nullptr);
    if (!kept) return;
    const QString name = QFileInfo(targetPath(*kept)).fileName();
    m_text->setText(
        kept->percent
            ? tr("Job canceled; %1% of %2 is saved. Resume it or discard the partial output.").arg(*kept->percent).arg(name)
            : tr("Job canceled; part of %1 is saved. Resume it or discard the partial output.").arg(name));
}

} // namespace wb::ui::convert
