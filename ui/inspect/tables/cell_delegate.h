// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace wb::ui::inspect {

// Draws the cells of this tab's tables and trees: text with margins on both sides, so that columns of numbers stay apart, a small
// square where the cell has a color, and a thin bar where it has a share. It paints directly, because a style sheet's cells are
// too slow to scroll 100,000 rows smoothly.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    static constexpr int padding = 8;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    static int rowHeight(const QWidget* view);
};

// The color of a cell's series or severity in the theme in use; invalid where it has neither.
QColor swatchColor(const QModelIndex& index);

} // namespace wb::ui::inspect
