// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/share_bar.h"

#include "ui/widgets/numbers.h"
#include "ui/plots/series_colors.h"
#include "ui/widgets/plain_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

namespace wb::ui::inspect {
namespace {

QString sentence(const Total& total) {
    return QStringLiteral("%1: %2 (%3)").arg(total.title, bytesText(total.bytes), shownPercent(total.share));
}

} // namespace

ShareBar::ShareBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Share of stored bytes"));
}

void ShareBar::setTotals(std::vector<Total> totals) {
    m_totals = std::move(totals);
    QStringList sentences;
    for (const Total& total : m_totals) sentences << sentence(total);
    setAccessibleDescription(sentences.join(QStringLiteral("; ")));
    update();
}

void ShareBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar = QRectF(rect()).adjusted(0, 4, 0, -4);
    QPainterPath rounded;
    rounded.addRoundedRect(bar, 5, 5);
    painter.setClipPath(rounded);
    const auto colors = seriesColors();
    double left = bar.left();
    for (std::size_t i = 0; i < m_totals.size(); ++i) {
        const double width = bar.width() * m_totals[i].share;
        painter.fillRect(QRectF(left, bar.top(), width - (width > 4 ? 1 : 0), bar.height()), colors[i % colors.size()]);
        left += width;
    }
}

bool ShareBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    double right = 0;
    for (const Total& total : m_totals) {
        right += width() * total.share;
        if (help->pos().x() > right) continue;
        QToolTip::showText(help->globalPos(), plainText(sentence(total)), this);
        break;
    }
    return true;
}

} // namespace wb::ui::inspect
