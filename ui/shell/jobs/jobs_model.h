// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/job.h"
#include "ui/shell/jobs/work_source.h"

#include <QAbstractTableModel>

namespace wb::ui {

// The one list of work: the visible jobs of the window and the work of its tabs, newest last. A job that a tab claims for one
// of its items shares the row of that item. A row keeps its place until it is removed. Figures are text made in data(); the
// progress column also gives a number to its delegate.
class JobsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Title, State, Progress, Size, Speed, TimeLeft, ColumnCount };
    enum Role { PermilleRole = Qt::UserRole }; // int 0 … 1000, or -1 while the total is not known

    using QAbstractTableModel::QAbstractTableModel;

    void add(const std::shared_ptr<Job>& job);
    void addSource(WorkSource* source); // which outlives this or is destroyed with its rows
    void clearFinished();
    bool canClear() const; // whether clearFinished() removes anything
    void retranslate();

    std::shared_ptr<Job> job(int row) const { return row >= 0 && row < m_rows.size() ? m_rows[row].job : nullptr; }
    // The row as it is now, with the actions that it offers; an empty id: the row does not exist.
    WorkItem work(int row) const;
    int currentRow() const;      // of the oldest that runs; -1: none does
    int unfinishedCount() const; // jobs that run, wait or are paused
    int activeCount() const;     // of them, without the paused ones
    int pausedCount() const;     // all that is paused, with a job or without
    int waitingCount() const;    // of tabs, interrupted or paused, which can be resumed

    void pause(int row);
    void resume(int row);
    void cancel(int row);
    void remove(int row);
    int move(int row, int places);                // -1 or 1, past the next of its source; returns its row afterwards
    void addCommands(QMenu* menu, int row) const; // of its source; -1: those of all sources for all their work
    void refresh();                               // WorkSource::refresh() of all

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void countsChanged(); // rows were added, paused, resumed, finished or removed

private:
    struct Row {
        std::shared_ptr<Job> job;     // null: none works on it
        WorkSource* source = nullptr; // null: the job alone
        WorkItem item;                // from the source
    };
    void update(const Job* job);
    void update(WorkSource* source);
    void place(WorkSource* source, const WorkItem& item);
    std::shared_ptr<Job> takeJob(const JobHandle* job);
    void removeRow(int row);
    void showRow(int row);
    QString cellText(const Row& row, int column) const;
    bool isClearable(int row) const;

    QList<Row> m_rows;
    QList<WorkSource*> m_sources;
    quint64 m_lastJob = 0;
};

} // namespace wb::ui
