// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/queue/queue_model.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace wb::ui::convert {

// The queue as a table, what can be done with it, and where it is paused, why.
class QueuePanel : public QWidget {
    Q_OBJECT

public:
    QueuePanel(RunQueue& queue, const RunSession& session, QWidget* parent = nullptr);

    void refresh();

signals:
    void discardWanted(quint64 id);            // of a run that was canceled: it and what it has written
    void inspectWanted(const QString& target); // of a run that is done

private:
    QPushButton* addButton(const char* name, const char* iconName, const QString& text);
    const QueuedRun* selected() const; // null: none

    RunQueue& m_queue;
    const RunSession& m_session;
    QueueModel* m_model;
    QTableView* m_table;
    QLabel* m_summary;
    QPushButton *m_goOn, *m_hold, *m_discard, *m_retry, *m_remove, *m_inspect, *m_clear;
};

// How the queue is, in a sentence: the running, waiting and saved jobs.
QString queueText(const RunQueue& queue, const RunSession& session);

} // namespace wb::ui::convert
