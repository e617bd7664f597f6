// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/cell_table_view.h"

#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/copy.h"
#include "ui/widgets/plain_table.h"

#include <QHeaderView>
#include <QPainter>

namespace wb::ui::inspect {

CellTableView::CellTableView(const QString& accessibleName, QWidget* parent)
    : QTableView(parent), m_model(new CellTableModel(this)) {
    setAccessibleName(accessibleName);
    setModel(m_model);
    setUpTable(this, CellDelegate::rowHeight(this));
    setHorizontalScrollMode(ScrollPerPixel);
    setItemDelegate(new CellDelegate(this));
    addCopyAction(this);
}

void CellTableView::setTable(TableContent content) {
    m_model->setTable(std::move(content.headers), std::move(content.rows));
    for (int column = 0; column < m_model->columnCount(); ++column)
        horizontalHeader()->setSectionResizeMode(column,
                                                 column == m_stretched ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

void CellTableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_model->rowCount() > 0 || m_emptyText.isEmpty()) return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignTop | Qt::TextWordWrap, m_emptyText);
}

} // namespace wb::ui::inspect
