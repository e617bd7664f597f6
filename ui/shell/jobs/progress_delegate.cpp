// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/progress_delegate.h"

#include "ui/shell/jobs/jobs_model.h"

#include <QApplication>
#include <QPainter>

namespace wb::ui {

void ProgressDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const int permille = index.data(JobsModel::PermilleRole).toInt();
    if (permille < 0) return;
    const int textWidth = option.fontMetrics.horizontalAdvance(QStringLiteral("100 %")) + 16;
    QRectF bar(option.rect.adjusted(8, 0, -textWidth, 0));
    bar = QRectF(bar.x(), bar.center().y() - 3, bar.width(), 6);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(option.palette.color(QPalette::Mid));
    painter->drawRoundedRect(bar, 3, 3);
    bar.setWidth(bar.width() * permille / 1000);
    painter->setBrush(option.palette.color(QPalette::Link));
    painter->drawRoundedRect(bar, 3, 3);
    painter->restore();
}

QSize ProgressDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), std::max(size.height(), 26)};
}

} // namespace wb::ui
