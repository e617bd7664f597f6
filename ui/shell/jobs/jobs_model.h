// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/job.h"

#include <QAbstractTableModel>

namespace wb::ui {

// The jobs of the tray, newest last. Figures are text made in data(); the progress column also gives a number to its delegate.
class JobsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Title, State, Progress, Speed, TimeLeft, ColumnCount };
    enum Role { PermilleRole = Qt::UserRole }; // int 0 … 1000, or -1 while the total is not known

    using QAbstractTableModel::QAbstractTableModel;

    void add(const std::shared_ptr<Job>& job);
    void clearFinished();
    void retranslate();

    std::shared_ptr<Job> job(int row) const { return m_jobs.value(row); }
    int unfinishedCount() const;
    int pausedCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

signals:
    void countsChanged(); // jobs were added, paused, resumed, finished or cleared

private:
    void update(const Job* job);

    QList<std::shared_ptr<Job>> m_jobs;
};

} // namespace wb::ui
