// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

// A line of the command palette: icon and title at the left, the greyed detail at the right.
class CommandDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace wb::ui
