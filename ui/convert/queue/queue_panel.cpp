// SPDX-License-Identifier: MIT
#include "ui/convert/queue/queue_panel.h"

#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/sentence.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace wb::ui::convert {
namespace {

using State = QueuedRun::State;

struct Queue {
    Q_DECLARE_TR_FUNCTIONS(Queue)
};

const QueuedRun* queueStopped(const RunQueue& queue) {
    const auto found = std::ranges::find(queue.runs(), State::Stopped, &QueuedRun::state);
    return found == queue.runs().end() ? nullptr : &*found;
}

QString runningText(const QueuedRun& run, const RunSession& session) {
    const quint64 total = std::max<quint64>(1, session.totalBytes());
    const quint64 percent = session.isRunning() ? session.doneBytes() * 100 / total : 0;
    return Queue::tr("%1 → %2: %3% done.").arg(QFileInfo(run.model).fileName(), run.type).arg(percent);
}

} // namespace

QString queueText(const RunQueue& queue, const RunSession& session) {
    const int open = queue.openCount();
    QStringList sentences;
    if (const QueuedRun* run = queue.current()) {
        sentences << runningText(*run, session);
        if (open > 0)
            sentences << (queue.isHeld() ? Queue::tr("The queue will then stop; %n more job(s) waiting.", nullptr, open)
                                         : Queue::tr("%n more job(s) waiting.", nullptr, open));
    } else if (const QueuedRun* stopped = queueStopped(queue)) {
        const QString name = QFileInfo(stopped->target).fileName();
        sentences << (stopped->percent ? Queue::tr("%1 was canceled; %2% of it was saved.").arg(name).arg(*stopped->percent)
                                       : Queue::tr("%1 was canceled.").arg(name));
        if (open > 1) sentences << Queue::tr("%n more job(s) waiting.", nullptr, open - 1);
    } else if (open > 0) {
        sentences << Queue::tr("Queue paused; %n job(s) waiting.", nullptr, open);
    }
    const auto count = [&queue](State state) {
        return static_cast<int>(std::ranges::count(queue.runs(), state, &QueuedRun::state));
    };
    if (const int done = count(State::Done); done > 0) sentences << Queue::tr("%n job(s) finished.", nullptr, done);
    if (const int failed = count(State::Failed); failed > 0) sentences << Queue::tr("%n job(s) failed.", nullptr, failed);
    return joined(sentences);
}

QueuePanel::QueuePanel(RunQueue& queue, const RunSession& session, QWidget* parent)
    : QWidget(parent), m_queue(queue), m_session(session), m_model(new QueueModel(queue, session, this)),
      m_table(new QTableView(this)), m_summary(new QLabel(this)) {
    m_table->setObjectName(QStringLiteral("queueTable"));
    m_table->setAccessibleName(tr("Queued jobs"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTextElideMode(Qt::ElideMiddle);
    setUpTable(m_table, m_table->fontMetrics().height() + 10);
    chooseRowOnTab(m_table);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(QueueModel::Type, QHeaderView::ResizeToContents);
    m_summary->setObjectName(QStringLiteral("queueSummary"));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_goOn = addButton("queueGoOn", "resume", tr("Resume"));
    m_hold = addButton("queueHold", "pause", tr("Stop after this job"));
    m_discard = addButton("queueDiscard", "trash", tr("Discard saved progress…"));
    m_retry = addButton("queueRetry", "refresh", tr("Retry"));
    m_remove = addButton("queueRemove", "remove", tr("Remove"));
    m_inspect = addButton("queueInspect", "inspect", tr("Open in Inspect"));
    m_clear = addButton("queueClear", "clear", tr("Clear finished"));
    connect(m_goOn, &QPushButton::clicked, &m_queue, &RunQueue::goOn);
    connect(m_hold, &QPushButton::clicked, &m_queue, &RunQueue::hold);
    connect(m_clear, &QPushButton::clicked, &m_queue, &RunQueue::clearDone);
    connect(m_discard, &QPushButton::clicked, this, [this] {
        if (const QueuedRun* run = queueStopped(m_queue)) emit discardWanted(run->id);
    });
    connect(m_retry, &QPushButton::clicked, this, [this] {
        if (const QueuedRun* run = selected()) m_queue.retry(run->id);
    });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const QueuedRun* run = selected()) m_queue.remove(run->id);
    });
    connect(m_inspect, &QPushButton::clicked, this, [this] {
        if (const QueuedRun* run = selected()) emit inspectWanted(run->target);
    });
    auto* ways = new QHBoxLayout;
    for (QPushButton* button : {m_goOn, m_hold, m_discard}) ways->addWidget(button);
    ways->addStretch(1);
    auto* ofOne = new QHBoxLayout;
    for (QPushButton* button : {m_inspect, m_retry, m_remove}) ofOne->addWidget(button);
    ofOne->addStretch(1);
    ofOne->addWidget(m_clear);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_summary);
    layout->addLayout(ways);
    layout->addWidget(m_table, 1);
    layout->addLayout(ofOne);
    connect(&m_queue, &RunQueue::changed, this, &QueuePanel::refresh);
    connect(&m_session, &RunSession::progressed, this, &QueuePanel::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePanel::refresh);
    connect(m_model, &QAbstractItemModel::modelReset, this, &QueuePanel::refresh);
    refresh();
}

QPushButton* QueuePanel::addButton(const char* name, const char* iconName, const QString& text) {
    auto* button = new QPushButton(icon(QLatin1String(iconName)), text, this);
    button->setObjectName(QLatin1String(name));
    return button;
}

const QueuedRun* QueuePanel::selected() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &m_model->run(rows.first().row());
}

void QueuePanel::refresh() {
    m_summary->setText(queueText(m_queue, m_session));
    const bool isOpen = m_queue.openCount() > 0;
    m_goOn->setVisible(isOpen && m_queue.isHeld());
    m_hold->setVisible(isOpen && m_queue.isBusy() && !m_queue.isHeld());
    m_discard->setVisible(!m_queue.isBusy() && queueStopped(m_queue));
    const QueuedRun* const run = selected();
    m_inspect->setEnabled(run && run->state == State::Done);
    m_retry->setEnabled(run && run->state == State::Failed);
    m_remove->setEnabled(run && run->state != State::Running);
    m_clear->setEnabled(std::ranges::count(m_queue.runs(), State::Done, &QueuedRun::state) > 0);
}

} // namespace wb::ui::convert
