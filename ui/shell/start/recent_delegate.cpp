// SPDX-License-Identifier: MIT
#include "ui/shell/start/recent_delegate.h"

#include "ui/shell/start/recent_model.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QPainter>

namespace wb::ui {
namespace {

constexpr int margin = 10;
constexpr int iconSide = 22;

void drawElided(QPainter* painter, const QRect& rect, Qt::TextElideMode mode, const QString& text, Qt::Alignment alignment) {
    const QString shown = painter->fontMetrics().elidedText(text, mode, rect.width());
    painter->drawText(rect, static_cast<int>(alignment | Qt::AlignVCenter), shown);
}

} // namespace

void RecentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem background(option);
    QApplication::style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &background, painter, option.widget);
    const bool isGone = index.data(RecentModel::IsGoneRole).toBool();
    const QColor muted = themeColors().muted;

    painter->save();
    const QRect inner = option.rect.adjusted(margin, 6, -margin, -6);
    const auto icon = index.data(Qt::DecorationRole).value<QIcon>();
    icon.paint(painter, QRect(inner.x(), inner.center().y() - iconSide / 2, iconSide, iconSide), Qt::AlignCenter,
               isGone ? QIcon::Disabled : QIcon::Normal);
    const QRect text = inner.adjusted(iconSide + margin, 0, 0, 0);
    QRect upper(text.x(), text.y(), text.width(), text.height() / 2);
    const QString facts = index.data(RecentModel::FactsRole).toString();
    painter->setPen(muted);
    drawElided(painter, upper.translated(0, upper.height()), Qt::ElideMiddle, index.data(RecentModel::FolderRole).toString(),
               Qt::AlignLeft);
    drawElided(painter, upper, Qt::ElideRight, facts, Qt::AlignRight);
    upper.setRight(upper.right() - painter->fontMetrics().horizontalAdvance(facts) - margin);
    painter->setPen(isGone ? muted : option.palette.color(QPalette::Text));
    drawElided(painter, upper, Qt::ElideMiddle, index.data(RecentModel::NameRole).toString(), Qt::AlignLeft);
    painter->restore();
}

QSize RecentDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {200, option.fontMetrics.height() * 2 + 20};
}

} // namespace wb::ui
