// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/problem.h"

#include <QWidget>

class QLabel;
class QListView;

namespace wb::ui::inspect {

class CellTableModel;

// Problems and notes about the model's files, gravest first.
class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(const std::vector<Problem>& problems, QWidget* parent = nullptr);

    void setProblems(const std::vector<Problem>& problems);

private:
    CellTableModel* m_model;
    QListView* m_list;
    QLabel* m_none;
};

} // namespace wb::ui::inspect
