// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace wb::ui {

// Paints JobsModel's progress column as a bar with its text next to it.
class ProgressDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace wb::ui
