// SPDX-License-Identifier: MIT
#include "ui/inspect/tables/cell_delegate.h"

#include "core/base/problem.h"
#include "ui/plots/series_colors.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QPainter>

namespace wb::ui::inspect {
namespace {

constexpr int swatchSide = 10;

void paintBackground(QPainter* painter, const QStyleOptionViewItem& option) {
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, option.palette.highlight());
    if (!(option.state & QStyle::State_HasFocus)) return;
    painter->setPen(QPen(themeColors().muted, 1, Qt::DotLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
}

// Returns the remaining space for the text.
QRect paintSwatch(QPainter* painter, const QRect& cell, const QColor& color) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawRoundedRect(QRect(cell.left(), cell.center().y() - swatchSide / 2, swatchSide, swatchSide), 3, 3);
    return cell.adjusted(swatchSide + 6, 0, 0, 0);
}

void paintBar(QPainter* painter, const QRect& cell, double share, int textWidth) {
    const QRectF track(cell.left(), cell.center().y() - 2, std::max(0, cell.width() - textWidth - 8), 5);
    painter->setPen(Qt::NoPen);
    painter->setBrush(themeColors().border);
    painter->drawRoundedRect(track, 2.5, 2.5);
    if (!(share > 0)) return;
    painter->setBrush(seriesColors()[0]);
    painter->drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(2.5, track.width() * share), track.height())), 2.5, 2.5);
}

} // namespace

QColor swatchColor(const QModelIndex& index) {
    if (const QVariant series = index.data(SeriesRole); series.isValid())
        return seriesColors()[series.toUInt() % seriesColors().size()];
    const QVariant severity = index.data(SeverityRole);
    if (!severity.isValid()) return {};
    const ThemeColors theme = themeColors();
    switch (static_cast<Severity>(severity.toInt())) {
    case Severity::Error: return theme.error;
    case Severity::Warning: return theme.warning;
    case Severity::Note: break;
    }
    return theme.muted;
}

int CellDelegate::rowHeight(const QWidget* view) { return view->fontMetrics().height() + 9; }

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintBackground(painter, option);
    QRect cell = option.rect.adjusted(padding, 0, -padding, 0);
    auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    if (!(alignment & Qt::AlignVertical_Mask)) alignment |= Qt::AlignVCenter; // of models that leave it open
    if (const QColor swatch = swatchColor(index); swatch.isValid()) cell = paintSwatch(painter, cell, swatch);
    if (const QVariant share = index.data(ShareRole); share.isValid()) {
        paintBar(painter, cell, share.toDouble(), option.fontMetrics.horizontalAdvance(QStringLiteral("< 100.0 %")));
        alignment = Qt::AlignRight | Qt::AlignVCenter;
    }
    const QString text = index.data(Qt::DisplayRole).toString();
    const bool selected = option.state & QStyle::State_Selected;
    const auto own = index.data(Qt::ForegroundRole).value<QColor>();
    painter->setPen(own.isValid() ? own : option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
    painter->setFont(option.font);
    const bool isNumber = alignment & Qt::AlignRight;
    painter->drawText(cell, static_cast<int>(alignment) | Qt::TextSingleLine,
                      isNumber ? fittedNumber(text, index.data(ExactRole).toString(), option.fontMetrics, cell.width())
                               : option.fontMetrics.elidedText(text, option.textElideMode, cell.width()));
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const bool hasSwatch = index.data(SeriesRole).isValid() || index.data(SeverityRole).isValid();
    const int text = option.fontMetrics.horizontalAdvance(index.data(Qt::DisplayRole).toString());
    return {text + 2 * padding + 2 + (hasSwatch ? swatchSide + 6 : 0), rowHeight(option.widget)};
}

} // namespace wb::ui::inspect
