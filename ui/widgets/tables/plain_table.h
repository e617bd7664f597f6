// SPDX-License-Identifier: MIT
#pragma once

class QAbstractItemModel;
class QAbstractItemView;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace wb::ui {

// How all our tables look: no grid, one line a row, no row numbers, every row `rowHeight` pixels high; Tab leaves the table.
void setUpTable(QTableView* table, int rowHeight);

// The height at which the table, which has its columns, shows this number of rows with the header and a horizontal scroll bar.
int rowsHeight(const QTableView& table, int rows);

// Whoever reaches the view by Tab sees where: the current row, at first the uppermost, is chosen if none is.
void chooseRowOnTab(QAbstractItemView* view);

// Puts Copy on the table: the selected rows as lines of tab-separated cells, of the columns that are shown. `role` is that of the
// copied text.
void addRowCopy(QTableView* table, int role);

// The Down key leads from the field to the view's rows.
void leadDown(QLineEdit* from, QAbstractItemView* to);

// Shows `model` sorted by `sortRole`, whole rows chosen, the first column ascending at first.
QSortFilterProxyModel* showSorted(QTableView* table, QAbstractItemModel* model, int sortRole);

// That of a table which showSorted() was called for.
QSortFilterProxyModel* tableProxy(const QTableView* table);

} // namespace wb::ui
