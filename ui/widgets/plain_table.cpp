// SPDX-License-Identifier: MIT
#include "ui/widgets/plain_table.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace wb::ui {

void setUpTable(QTableView* table, int rowHeight) {
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setHighlightSections(false);
}

QSortFilterProxyModel* showSorted(QTableView* table, QAbstractItemModel* model, int sortRole) {
    auto* proxy = new QSortFilterProxyModel(table);
    proxy->setSourceModel(model);
    proxy->setSortRole(sortRole);
    table->setModel(proxy);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSortingEnabled(true);
    table->sortByColumn(0, Qt::AscendingOrder);
    return proxy;
}

QSortFilterProxyModel* proxyOf(const QTableView* table) { return static_cast<QSortFilterProxyModel*>(table->model()); }

} // namespace wb::ui
