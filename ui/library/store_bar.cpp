// SPDX-License-Identifier: MIT
#include "ui/library/store_bar.h"

#include "ui/library/library_model.h"
#include "ui/plots/series_colors.h"
#include "ui/widgets/numbers.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace wb::ui::library {
namespace {

constexpr int barHeight = 14;
constexpr int gap = 6;
constexpr int descent = 4; // a font that is in for another, as for Chinese, may be higher

} // namespace

StoreBar::StoreBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
}

QSize StoreBar::sizeHint() const { return {300, barHeight + gap + fontMetrics().height() + descent}; }

void StoreBar::setListing(ListingPtr listing) {
    m_shares.clear();
    m_total = 0;
    if (listing)
        for (const wb::library::StoreListing& store : listing->stores) {
            if (store.bytes == 0) continue;
            m_shares.push_back({storeText(store.store), store.bytes});
            m_total += store.bytes;
        }
    std::ranges::stable_sort(m_shares, std::ranges::greater(), &Share::bytes);
    describe();
    setVisible(!m_shares.empty());
    update();
}

void StoreBar::describe() {
    QStringList parts;
    for (const Share& share : m_shares) parts << tr("%1: %2").arg(share.name, fileSizeText(share.bytes));
    setAccessibleName(tr("Disk usage by location"));
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    setToolTip(parts.join(u'\n'));
}

void StoreBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto colors = seriesColors();
    const int textTop = barHeight + gap;
    double x = 0;
    int textX = 0;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const QColor color = colors[i % colors.size()];
        const double part = static_cast<double>(m_shares[i].bytes) / static_cast<double>(std::max<quint64>(m_total, 1)) * width();
        painter.fillRect(QRectF(x, 0, std::max(part - 1, 1.0), barHeight), color);
        x += part;
        const QString label = tr("%1: %2").arg(m_shares[i].name, fileSizeText(m_shares[i].bytes));
        const int labelWidth = fontMetrics().horizontalAdvance(label);
        if (textX + 16 + labelWidth > width()) continue; // the tool tip has all of them
        painter.fillRect(textX, textTop + fontMetrics().height() / 2 - 4, 9, 9, color);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(textX + 14, textTop, labelWidth + 2, fontMetrics().height() + descent), Qt::AlignTop, label);
        textX += 14 + labelWidth + 18;
    }
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void StoreBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) describe();
    QWidget::changeEvent(event);
}

} // namespace wb::ui::library
