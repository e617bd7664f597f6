// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

// One recent file on two lines: name and facts above, folder below. A file that has gone is greyed, with a text about it.
class RecentDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace wb::ui
