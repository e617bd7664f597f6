// SPDX-License-Identifier: MIT
#pragma once

class QAbstractItemModel;
class QSortFilterProxyModel;
class QTableView;

namespace wb::ui {

// How all our tables look: no grid, one line a row, no row numbers, every row `rowHeight` pixels high; Tab leaves the table.
void setUpTable(QTableView* table, int rowHeight);

// Shows `model` sorted by `sortRole`, whole rows chosen, the first column ascending at first.
QSortFilterProxyModel* showSorted(QTableView* table, QAbstractItemModel* model, int sortRole);

// That of a table which showSorted() was called for.
QSortFilterProxyModel* proxyOf(const QTableView* table);

} // namespace wb::ui
