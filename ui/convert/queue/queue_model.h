// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/queue/run_queue.h"

#include <QAbstractTableModel>

namespace wb::ui::convert {

// The runs of the queue in their order. Figures of the run that is under way come from its session.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Model, Type, Target, State, columns };

    QueueModel(const RunQueue& queue, const RunSession& session, QObject* parent = nullptr);

    const QueuedRun& run(int row) const { return m_runs[row]; }
    int rowOf(quint64 id) const; // -1: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void renew();
    void showProgress();
    QString runState(const QueuedRun& run) const;

    const RunQueue& m_queue;
    const RunSession& m_session;
    QList<QueuedRun> m_runs;
};

} // namespace wb::ui::convert
