// SPDX-License-Identifier: MIT
#include "ui/convert/queue/queue_strip.h"

#include "ui/convert/queue/queue_panel.h"
#include "ui/convert/wizard.h"
#include "ui/widgets/icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace wb::ui::convert {

QueueStrip::QueueStrip(Wizard& wizard, QWidget* parent)
    : QFrame(parent), m_wizard(wizard), m_text(new QLabel(this)),
      m_goOn(new QPushButton(icon(QStringLiteral("resume")), tr("Resume"), this)),
      m_show(new QPushButton(icon(QStringLiteral("jobs")), tr("Show queue"), this)) {
    setObjectName(QStringLiteral("queueStrip"));
    m_text->setObjectName(QStringLiteral("queueText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_goOn->setObjectName(QStringLiteral("stripGoOn"));
    m_goOn->setAccessibleName(tr("Resume queue"));
    m_show->setObjectName(QStringLiteral("showQueue"));
    connect(m_show, &QPushButton::clicked, &m_wizard, &Wizard::showRuns);
    connect(m_goOn, &QPushButton::clicked, &m_wizard, [&wizard] {
        wizard.showRuns();
        wizard.queue().goOn();
    });
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 0);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_goOn);
    layout->addWidget(m_show);
    connect(&m_wizard, &Wizard::changed, this, &QueueStrip::refresh);
    connect(&m_wizard.runs(), &RunSession::progressed, this, &QueueStrip::refresh);
    refresh();
}

void QueueStrip::refresh() {
    const RunQueue& queue = m_wizard.queue();
    setVisible(m_wizard.step() != Wizard::Step::Run && !queue.runs().isEmpty());
    m_text->setText(queueText(queue, m_wizard.runs()));
    m_goOn->setVisible(queue.isHeld() && queue.openCount() > 0 && !queue.isBusy());
}

} // namespace wb::ui::convert
