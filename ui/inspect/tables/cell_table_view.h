// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/tables/tensor_tables.h"

#include <QTableView>

namespace wb::ui::inspect {

// A small table of prepared cells with selection by cell and copy. The first column takes the room that is left.
class CellTableView : public QTableView {
    Q_OBJECT

public:
    explicit CellTableView(const QString& accessibleName, QWidget* parent = nullptr);

    void setTable(TableContent content);
    CellTableModel* cells() const { return m_model; }
    void setStretchedColumn(int column) { m_stretched = column; }
    void setEmptyText(const QString& text) { m_emptyText = text; } // what it says while it has no rows

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fitColumns();

    CellTableModel* m_model;
    int m_stretched = 0;
    QString m_emptyText;
};

} // namespace wb::ui::inspect
