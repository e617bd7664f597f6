// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/cell_table_view.h"

#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/copy.h"
#include "ui/widgets/tables/plain_table.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>
#include <vector>

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

// Words may be cut, with an ellipsis; numbers are not: the widest words are cut until all columns fit.
void CellTableView::fitColumns() {
    constexpr int headerSlack = 6; // titles in Chinese are wider than the header expects
    constexpr int shortestText = 110;
    const int columns = m_model->columnCount();
    const auto isNumber = [this](int column) { return m_model->rowCount() > 0 && m_model->cell(0, column).number; };
    std::vector<int> widths, least;
    int room = viewport()->width();
    for (int column = 0; column < columns; ++column) {
        const int title = horizontalHeader()->sectionSizeHint(column) + headerSlack;
        widths.push_back(std::max(sizeHintForColumn(column), title));
        least.push_back(isNumber(column) ? widths.back() : std::min(widths.back(), std::max(shortestText, title)));
        room -= widths.back();
    }
    while (room < 0) {
        std::size_t widest = widths.size();
        for (std::size_t column = 0; column < widths.size(); ++column)
            if (widths[column] > least[column] && (widest == widths.size() || widths[column] > widths[widest])) widest = column;
        if (widest == widths.size()) break; // the rest is scrolled to
        const int less = std::min({-room, widths[widest] - least[widest], 8});
        widths[widest] -= less;
        room += less;
    }
    if (room > 0 && m_stretched >= 0 && m_stretched < columns) widths[static_cast<std::size_t>(m_stretched)] += room;
    for (int column = 0; column < columns; ++column)
        horizontalHeader()->resizeSection(column, widths[static_cast<std::size_t>(column)]);
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
