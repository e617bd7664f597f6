// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/cell_table_view.h"

#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/copy.h"
#include "ui/widgets/plain_table.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>

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
    fitColumns();
}

// Of the stretched column words may be cut, numbers not.
void CellTableView::fitColumns() {
    constexpr int headerSlack = 6; // titles in Chinese are wider than the header expects
    constexpr int shortestText = 90;
    const auto needed = [this](int column) {
        return std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column) + headerSlack);
    };
    int room = viewport()->width();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (column == m_stretched) continue;
        horizontalHeader()->resizeSection(column, needed(column));
        room -= needed(column);
    }
    if (m_stretched < 0 || m_stretched >= m_model->columnCount()) return;
    const bool isNumber = m_model->rowCount() > 0 && m_model->cell(0, m_stretched).number;
    const int least = isNumber ? needed(m_stretched) : std::min(shortestText, needed(m_stretched));
    horizontalHeader()->resizeSection(m_stretched, std::max(room, least));
}

void CellTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitColumns();
}

void CellTableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (m_model->rowCount() > 0 || m_emptyText.isEmpty()) return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignTop | Qt::TextWordWrap, m_emptyText);
}

} // namespace wb::ui::inspect
