// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QTableView;

namespace wb::ui {

// Keeps the first column of a table in sight while the others are scrolled sideways: a second view of the same model, with the same
// selection, lies over it then. The first column can no longer be moved. To be made after the model and its header are set up; goes
// with the table.
class FrozenColumn : public QObject {
    Q_OBJECT

public:
    explicit FrozenColumn(QTableView* table);

    QTableView* view() const { return m_view; } // hidden while nothing is scrolled away

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();
    void place();

    QTableView* m_table;
    QTableView* m_view;
};

} // namespace wb::ui
