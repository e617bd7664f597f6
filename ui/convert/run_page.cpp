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

static constexpr int cardWidth = 600;

RunPage::RunPage(Wizard& wizard, QWidget* parent)
    : QWidget(parent), m_wizard(wizard), m_run(wizard.runs()), m_card(new Card(this)), m_title(new QLabel(this)),
      m_figures(new QLabel(this)), m_bar(new QProgressBar(this)), m_pause(new QPushButton(this)), m_cancel(new QPushButton(this)),
      m_leave(new QPushButton(icon(QStringLiteral("file")), tr("Plan another job…"), this)) {
    Card* const card = m_card;
    card->setFixedWidth(cardWidth);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    m_figures->setObjectName(QStringLiteral("figures"));
    m_bar->setObjectName(QStringLiteral("progress"));
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false); // it would are on the bar, half on one color and half on the other
    m_bar->setFixedHeight(8);
    m_bar->setAccessibleName(tr("Progress"));
    m_pause->setObjectName(QStringLiteral("pause"));
    m_cancel->setIcon(icon(QStringLiteral("cancel")));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    auto* note = makeMutedLabel(card);
    note->setText(tr(
        "If you cancel or quit, progress is saved and you can resume on the Jobs page. The file appears under its final name once "
        "it is complete and verified."));
    note->setMinimumHeight(note->heightForWidth(560)); // a centerd card does not ask for it
    connect(m_pause, &QPushButton::clicked, this, [this] { m_run.setPaused(!m_run.isPaused()); });
    connect(m_cancel, &QPushButton::clicked, &m_run, &RunSession::cancel);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_pause);
    buttons->addWidget(m_cancel);
    card->content()->addWidget(m_title);
    card->content()->addWidget(m_bar);
    card->content()->addWidget(m_figures);
    card->content()->addWidget(note);
    card->content()->addLayout(buttons);
    m_leave->setObjectName(QStringLiteral("leaveRuns"));
    m_leave->setToolTip(tr("The current job continues; new jobs are queued"));
    connect(m_leave, &QPushButton::clicked, &m_wizard, &Wizard::leaveRuns);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addStretch(1);
    layout->addWidget(card, 0, Qt::AlignCenter);
    layout->addWidget(m_leave, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    connect(&m_run, &RunSession::progressed, this, &RunPage::refresh);
    refresh();
}

QString RunPage::figures() const {
    QStringList parts{tr("%1%").arg(m_bar->value() / 10),
                      tr("%1 of %2").arg(fileSizeText(m_run.doneBytes()), fileSizeText(m_run.totalBytes()))};
    if (m_run.isStopping()) parts << tr("stopping…");
    else if (m_run.isPaused()) parts << tr("paused");
    if (m_run.bytesPerSecond() > 0) {
        parts << speedText(m_run.bytesPerSecond());
        const auto left = static_cast<double>(m_run.totalBytes() - std::min(m_run.doneBytes(), m_run.totalBytes()));
        parts << tr("%1 left").arg(durationText(left / m_run.bytesPerSecond()));
    }
    return parts.join(QStringLiteral(" · "));
}

void RunPage::refresh() {
    m_card->setVisible(m_run.isRunning());
    m_card->setHeading(m_run.heading());
    m_title->setText(QStringLiteral("%1 → %2").arg(QFileInfo(m_run.source()).fileName(), shortPath(m_run.target())));
    m_title->setMinimumHeight(m_title->heightForWidth(cardWidth - 40)); // a centerd card does not ask for it
    const quint64 total = std::max<quint64>(1, m_run.totalBytes());
    m_bar->setValue(static_cast<int>(m_run.doneBytes() * 1000 / total));
    m_figures->setText(figures());
    m_pause->setEnabled(!m_run.isStopping());
    m_cancel->setEnabled(!m_run.isStopping());
    m_pause->setText(m_run.isPaused() ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(icon(m_run.isPaused() ? QStringLiteral("resume") : QStringLiteral("pause")));
}

} // namespace wb::ui::convert
