// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/tables/frozen_column.h"
#include "ui/widgets/types/type_table_model.h"

namespace wb::ui {

// Shows the table of types: sorted, the column of names always in sight, every column as wide as its title and numbers, rows copied
// as text with exact numbers.
class TypeTableView : public FrozenTableView {
    Q_OBJECT

public:
    // Shows these columns, sorted by `sorted` at first. The model must outlive it.
    TypeTableView(TypeTableModel* model, std::initializer_list<TypeTableModel::Column> shown, TypeTableModel::Column sorted,
                  Qt::SortOrder order, QWidget* parent = nullptr);

    void setShown(TypeTableModel::Column column, bool isShown) { setColumnHidden(column, !isShown); }
    QList<int> shownColumns() const;

    // Rows of the model.
    int currentRow() const;          // -1: none
    QList<int> selectedRows() const; // in the order of the table
    void selectTypeRow(int row);     // and scrolls to it

private:
    void fitColumns();

    TypeTableModel* m_model;
};

} // namespace wb::ui
