// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/danger.h"
#include "ui/shell/jobs/latest_job.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace wb::ui::inspect {

class CellTableView;

// The opcodes of the pickle in a model that does the worst, around the place where it does; a job lists them once they are asked
// for.
class DisassemblyView : public QWidget {
    Q_OBJECT

public:
    DisassemblyView(const QString& path, JobRunner* jobs, QWidget* parent = nullptr);

private:
    void list();
    void show(const Danger& danger);
    void showWorst(); // in the table

    QString m_path;
    LatestJob m_job;
    QPushButton* m_ask;
    QLabel* m_where;
    CellTableView* m_table;
};

} // namespace wb::ui::inspect
