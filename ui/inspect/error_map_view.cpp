// SPDX-License-Identifier: MIT
#include "ui/inspect/error_map_view.h"

#include "ui/shell/theme.h"

#include <QImage>
#include <QPainter>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

QColor mixed(const QColor& from, const QColor& to, double part) {
    const auto channel = [part](int a, int b) { return static_cast<int>(a + (b - a) * part); };
    return QColor(channel(from.red(), to.red()), channel(from.green(), to.green()), channel(from.blue(), to.blue()));
}

} // namespace

ErrorMapView::ErrorMapView(QWidget* parent) : QWidget(parent) {
    setMinimumSize(120, 80);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Map of the error"));
}

void ErrorMapView::setMap(const quant::ErrorMap& map) {
    m_map = map;
    update();
}

// One hue of growing strength: it reads the same for eyes that see colours differently.
void ErrorMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColours().surface);
    if (m_map.cells.empty()) return;
    const float most = *std::max_element(m_map.cells.begin(), m_map.cells.end());
    QImage image(static_cast<int>(m_map.columns), static_cast<int>(m_map.rows), QImage::Format_RGB32);
    const QColor strong = palette().color(QPalette::Link);
    for (std::size_t i = 0; i < m_map.cells.size(); ++i) {
        const double part = most > 0 ? static_cast<double>(m_map.cells[i] / most) : 0;
        image.setPixelColor(static_cast<int>(i % m_map.columns), static_cast<int>(i / m_map.columns),
                            mixed(themeColours().surface, strong, part));
    }
    painter.drawImage(rect(), image);
}

} // namespace wb::ui::inspect
