// SPDX-License-Identifier: MIT
#pragma once

#include <QTableView>

namespace wb::ui {

// A table whose first column is always in sight, see FrozenColumn: showing an item of it scrolls nothing sideways.
class FrozenTableView : public QTableView {
    Q_OBJECT

public:
    using QTableView::QTableView;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
};

// Keeps the first column of a table in sight while the others are scrolled sideways: a second view of the same model, with the same
// selection, lies over it then. The first column can no longer be moved. To be made after the model and its header are set up; goes
// with the table.
class FrozenColumn : public QObject {
    Q_OBJECT

public:
    explicit FrozenColumn(FrozenTableView* table);

    QTableView* view() const { return m_view; } // hidden while nothing is scrolled away

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();
    void place();

    QTableView* m_table;
    QTableView* m_view;
};

} // namespace wb::ui
