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
constexpr int squareSpace = 14, labelSpace = 16;

} // namespace

StoreBar::StoreBar(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum); // fixed, it would never be higher than its size hint
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::TabFocus);
}

QSize StoreBar::sizeHint() const { return {300, barHeight + gap + lineHeight()}; }

int StoreBar::heightForWidth(int width) const {
    const auto labels = placeLabels(width);
    return barHeight + gap + (labels.empty() ? lineHeight() : labels.back().place.bottom() + 1);
}

int StoreBar::lineHeight() const { return fontMetrics().height() + descent; }

// From left to right; a name that alone is wider than the bar ends with dots.
std::vector<StoreBar::Label> StoreBar::placeLabels(int width) const {
    std::vector<Label> labels;
    int x = 0, y = 0;
    for (const Share& share : m_shares) {
        QString text = tr("%1: %2").arg(share.name, fileSizeText(share.bytes));
        text = fontMetrics().elidedText(text, Qt::ElideMiddle, std::max(40, width - squareSpace));
        const int labelWidth = squareSpace + fontMetrics().horizontalAdvance(text) + 2;
        if (x > 0 && x + labelWidth > width) x = 0, y += lineHeight();
        labels.push_back({text, {x, y, labelWidth, lineHeight()}});
        x += labelWidth + labelSpace;
    }
    return labels;
}

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
    updateGeometry();
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
    const auto labels = placeLabels(width());
    double x = 0;
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const QColor color = colors[i % colors.size()];
        const double part = static_cast<double>(m_shares[i].bytes) / static_cast<double>(std::max<quint64>(m_total, 1)) * width();
        painter.fillRect(QRectF(x, 0, std::max(part - 1, 1.0), barHeight), color);
        x += part;
        const QRect place = labels[i].place.translated(0, barHeight + gap);
        painter.fillRect(place.left(), place.top() + fontMetrics().height() / 2 - 4, 9, 9, color);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place.adjusted(squareSpace, 0, 0, 0), Qt::AlignTop, labels[i].text);
    }
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void StoreBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) describe();
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) updateGeometry();
    QWidget::changeEvent(event);
}

} // namespace wb::ui::library
