// SPDX-License-Identifier: MIT
#include "ui/convert/run_page.h"

#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace wb::ui::convert {

RunPage::RunPage(Wizard& wizard, QWidget* parent)
    : QWidget(parent), m_wizard(wizard), m_title(new QLabel(this)), m_figures(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_pause(new QPushButton(this)), m_cancel(new QPushButton(this)) {
    auto* card = new Card(this);
    card->setHeading(tr("Quantizing"));
    card->setFixedWidth(600);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_figures->setObjectName(QStringLiteral("figures"));
    m_bar->setObjectName(QStringLiteral("progress"));
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false); // it would lie on the bar, half on one colour and half on the other
    m_bar->setFixedHeight(8);
    m_bar->setAccessibleName(tr("Progress"));
    m_pause->setObjectName(QStringLiteral("pause"));
    m_cancel->setIcon(icon(QStringLiteral("cancel")));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    auto* note = makeMutedLabel(card);
    note->setText(tr(
        "What is done is kept when you cancel or quit, and can be continued from here. The file appears under its name only when "
        "it is whole and checked."));
    note->setMinimumHeight(note->heightForWidth(560)); // a centred card does not ask for it
    connect(m_pause, &QPushButton::clicked, this, [this] { m_wizard.setPaused(!m_wizard.isPaused()); });
    connect(m_cancel, &QPushButton::clicked, &m_wizard, &Wizard::cancelRun);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_pause);
    buttons->addWidget(m_cancel);
    card->content()->addWidget(m_title);
    card->content()->addWidget(m_bar);
    card->content()->addWidget(m_figures);
    card->content()->addWidget(note);
    card->content()->addLayout(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(card, 0, Qt::AlignCenter);
    refresh();
}

QString RunPage::figures() const {
    QStringList parts{tr("%1 %").arg(m_bar->value() / 10),
                      tr("%1 of %2").arg(bytesText(m_wizard.doneBytes()), bytesText(m_wizard.totalBytes()))};
    if (m_wizard.isStopping()) parts << tr("stopping…");
    else if (m_wizard.isPaused()) parts << tr("paused");
    if (m_wizard.bytesPerSecond() > 0) {
        parts << speedText(m_wizard.bytesPerSecond());
        const auto left = static_cast<double>(m_wizard.totalBytes() - std::min(m_wizard.doneBytes(), m_wizard.totalBytes()));
        parts << tr("%1 left").arg(durationText(left / m_wizard.bytesPerSecond()));
    }
    return parts.join(QStringLiteral(" · "));
}

void RunPage::refresh() {
    m_title->setText(QStringLiteral("%1 → %2").arg(QFileInfo(m_wizard.modelPath()).fileName(), shortPath(m_wizard.target())));
    const quint64 total = std::max<quint64>(1, m_wizard.totalBytes());
    m_bar->setValue(static_cast<int>(m_wizard.doneBytes() * 1000 / total));
    m_figures->setText(figures());
    m_pause->setEnabled(!m_wizard.isStopping());
    m_cancel->setEnabled(!m_wizard.isStopping());
    m_pause->setText(m_wizard.isPaused() ? tr("Go on") : tr("Pause"));
    m_pause->setIcon(icon(m_wizard.isPaused() ? QStringLiteral("resume") : QStringLiteral("pause")));
}

} // namespace wb::ui::convert
