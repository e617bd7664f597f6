// SPDX-License-Identifier: MIT
#include "ui/shell/palette/command_delegate.h"

#include "ui/shell/palette/command_model.h"
#include "ui/widgets/theme.h"

#include <QPainter>

namespace wb::ui {

void CommandDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QString detail = index.data(CommandModel::DetailRole).toString();
    const int detailWidth = std::min(option.fontMetrics.horizontalAdvance(detail) + 24, option.rect.width() / 2);
    painter->save();
    if (option.state & QStyle::State_Selected) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(themeColors().accentSoft);
        painter->drawRoundedRect(option.rect.adjusted(2, 1, -2, -1), 7, 7);
    }
    const QRect inner = option.rect.adjusted(12, 0, -12, 0);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, QRect(inner.left(), inner.center().y() - 9, 18, 18));
    painter->setPen(option.palette.color(QPalette::Text));
    const QRect title = inner.adjusted(30, 0, -detailWidth, 0);
    painter->drawText(title, Qt::AlignVCenter,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, title.width()));
    painter->setPen(themeColors().muted);
    const QString shown = option.fontMetrics.elidedText(detail, Qt::ElideMiddle, detailWidth);
    painter->drawText(inner, Qt::AlignVCenter | Qt::AlignRight, shown);
    painter->restore();
}

QSize CommandDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {200, option.fontMetrics.height() + 18};
}

} // namespace wb::ui
