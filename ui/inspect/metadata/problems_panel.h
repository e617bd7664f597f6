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

    // From now on the list is as high as its rows, and scrolls where they are higher than this.
    void fitRows(int mostHeight);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitHeight();

    CellTableModel* m_model;
    QListView* m_list;
    QLabel* m_none;
    int m_mostHeight = 0; // 0: the layout decides
};

} // namespace wb::ui::inspect
