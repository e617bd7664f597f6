// SPDX-License-Identifier: MIT
#include "ui/convert/queue/queue_strip.h"

#include "ui/convert/queue/queue_text.h"
#include "ui/convert/run/unfinished_list.h"
#include "ui/convert/wizard.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/sentence.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace wb::ui::convert {

QueueStrip::QueueStrip(Wizard& wizard, const UnfinishedList& unfinished, QWidget* parent)
    : QFrame(parent), m_wizard(wizard), m_unfinished(unfinished), m_text(new QLabel(this)) {
    setObjectName(QStringLiteral("queueStrip"));
    m_text->setObjectName(QStringLiteral("queueText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    auto* show = new QPushButton(icon(QStringLiteral("jobs")), tr("Show jobs"), this);
    show->setObjectName(QStringLiteral("showJobs"));
    connect(show, &QPushButton::clicked, this, &QueueStrip::jobsWanted);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 16, 0);
    layout->addWidget(m_text, 1);
    layout->addWidget(show);
    connect(&m_wizard, &Wizard::changed, this, &QueueStrip::refresh);
    connect(&m_wizard.runs(), &RunSession::progressed, this, &QueueStrip::refresh);
    connect(&m_unfinished, &UnfinishedList::changed, this, &QueueStrip::refresh);
    refresh();
}

// Those of the queue are continued there.
QString QueueStrip::stripText() const {
    QStringList sentences{queueText(m_wizard.queue(), m_wizard.runs())};
    const auto isLeft = [this](const UnfinishedRun& run) { return !m_wizard.queue().has(targetPath(run)); };
    if (const auto left = std::ranges::count_if(m_unfinished.runs(), isLeft); left > 0)
        sentences << tr("%n unfinished job(s).", nullptr, static_cast<int>(left));
    return joined(sentences);
}

void QueueStrip::refresh() {
    const RunQueue& queue = m_wizard.queue();
    const bool isAlone =
        std::ranges::count_if(queue.runs(), [](const QueuedRun& run) { return run.state != QueuedRun::State::Done; }) == 1;
    const bool showsAll = m_wizard.step() == Wizard::Step::Run && m_wizard.runs().isRunning() && isAlone;
    m_text->setText(stripText());
    setVisible(!showsAll && !m_text->text().isEmpty());
}

} // namespace wb::ui::convert
