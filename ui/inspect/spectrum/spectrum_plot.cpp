// SPDX-License-Identifier: MIT
#include "ui/inspect/spectrum/spectrum_plot.h"

#include "ui/plots/plot_footer.h"
#include "ui/plots/series_colors.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace wb::ui::inspect {
namespace {

constexpr int readoutRow = 18, axisBottom = 20 + plotFooterHeight, axisLeft = 54;

} // namespace

SpectrumPlot::SpectrumPlot(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("spectrumPlot"));
    setAccessibleName(tr("Singular values"));
    setToolTip(tr("Move the mouse or press the arrow keys to read individual values."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void SpectrumPlot::setSpectrum(std::shared_ptr<const stats::Spectrum> spectrum) {
    m_spectrum = std::move(spectrum);
    m_rank = 0;
    m_count = 0;
    if (m_spectrum) {
        const auto& values = m_spectrum->singularValues;
        // What is smaller than rounding would only press the others together.
        const double least = m_spectrum->spectralNorm / stats::maxCondition;
        m_count = static_cast<std::size_t>(std::ranges::count_if(values, [&](double value) { return value > least; }));
        if (m_count > 0) {
            m_high = std::log10(values.front()) + 0.1;
            m_low = std::min(std::log10(values[m_count - 1]), m_high - 0.5) - 0.1;
        }
    }
    setAccessibleDescription(sentence());
    update();
}

QString SpectrumPlot::sentence() const {
    if (!m_spectrum) return {};
    if (m_count == 0) return tr("All singular values are zero.");
    if (m_rank > 0)
        return tr("Singular value %1: %2")
            .arg(shownCount(static_cast<quint64>(m_rank)),
                 shownNumber(m_spectrum->singularValues[static_cast<std::size_t>(m_rank) - 1]));
    const QString count = shownCount(m_spectrum->singularValues.size());
    return m_spectrum->isComplete ? tr("All %1 singular values by rank, on logarithmic axes").arg(count)
                                  : tr("The %1 largest singular values by rank; the others are not known").arg(count);
}

QRectF SpectrumPlot::area() const { return QRectF(rect()).adjusted(axisLeft, readoutRow + 4, -12, -axisBottom); }

QPointF SpectrumPlot::point(std::size_t rank, double value) const {
    const QRectF plot = area();
    const double across = m_count > 1 ? std::log(static_cast<double>(rank)) / std::log(static_cast<double>(m_count)) : 0.5;
    const double up = (std::log10(value) - m_low) / (m_high - m_low);
    return {plot.left() + across * plot.width(), plot.bottom() - up * plot.height()};
}

void SpectrumPlot::paintAxes(QPainter& painter) const {
    const QRectF plot = area();
    const ThemeColors colors = themeColors();
    const auto tick = [](double power) { return QLocale().toString(std::pow(10.0, power), 'g', 3); };
    for (double decade = std::floor(m_low); decade <= m_high; ++decade)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double power = decade + std::log10(digit);
            if (power < m_low || power > m_high || (digit > 1 && m_high - m_low > 3)) continue;
            const double y = point(1, std::pow(10.0, power)).y();
            painter.setPen(QPen(colors.border, 1));
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
            painter.setPen(colors.muted);
            painter.drawText(QRectF(0, y - 8, axisLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter, tick(power));
        }
    painter.setPen(colors.muted);
    for (std::size_t rank = 1; rank <= m_count; rank *= 10) {
        const double x = point(rank, m_spectrum->singularValues.front()).x();
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3));
        painter.drawText(QRectF(x - 40, plot.bottom() + 3, 80, 17), Qt::AlignHCenter | Qt::AlignTop, shownCount(rank));
    }
}

void SpectrumPlot::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!m_spectrum) return;
    painter.setPen(m_rank > 0 ? palette().color(QPalette::WindowText) : themeColors().muted);
    const QString title = tr("Singular value");
    const double titleWidth = painter.fontMetrics().horizontalAdvance(title) + 12;
    const QRectF line(8 + titleWidth, 0, width() - 16 - titleWidth, readoutRow);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(sentence(), Qt::ElideRight, static_cast<int>(line.width())));
    if (m_count == 0) return;
    paintAxes(painter);
    std::vector<LegendItem> legend = {{seriesColors()[0], tr("Singular values")}};
    if (m_spectrum->tail && m_spectrum->tail->values > 1) legend.push_back({seriesColors()[1], tr("Power law fitted to the tail")});
    paintPlotTitles(painter, {8, 0, titleWidth, readoutRow}, title,
                    {axisLeft, height() - static_cast<double>(plotFooterHeight), area().width(), plotFooterHeight}, tr("Rank"),
                    legend);
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF curve;
    for (std::size_t i = 0; i < m_count; ++i) curve << point(i + 1, m_spectrum->singularValues[i]);
    painter.setPen(QPen(seriesColors()[0], 1.5));
    if (m_count == 1) painter.drawEllipse(curve.first(), 2, 2);
    else painter.drawPolyline(curve);
    if (const auto& tail = m_spectrum->tail; tail && tail->values > 1) {
        // Rank k of m values has λ = λ_min · (m / k)^(1 / (α - 1)).
        const auto fitted = [&](std::size_t rank) {
            return std::sqrt(tail->lambdaMin *
                             std::pow(static_cast<double>(tail->values) / static_cast<double>(rank), 1 / (tail->alpha - 1)));
        };
        painter.setClipRect(area());
        painter.setPen(QPen(seriesColors()[1], 1.5, Qt::DashLine));
        painter.drawLine(point(1, fitted(1)), point(tail->values, fitted(tail->values)));
        painter.setClipping(false);
    }
    if (m_rank > 0) {
        const QPointF at = curve[m_rank - 1];
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawEllipse(at, 4, 4);
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

void SpectrumPlot::read(int rank) {
    if (rank == m_rank) return;
    m_rank = rank;
    setAccessibleDescription(sentence());
    update();
}

void SpectrumPlot::mouseMoveEvent(QMouseEvent* event) {
    const QRectF plot = area();
    if (m_count == 0 || !plot.contains(event->position())) return read(0);
    const double across = (event->position().x() - plot.left()) / plot.width();
    read(std::clamp(static_cast<int>(std::lround(std::pow(static_cast<double>(m_count), across))), 1, static_cast<int>(m_count)));
}

void SpectrumPlot::leaveEvent(QEvent*) {
    if (!hasFocus()) read(0);
}

void SpectrumPlot::keyPressEvent(QKeyEvent* event) {
    if (m_count == 0) return QWidget::keyPressEvent(event);
    const int last = static_cast<int>(m_count);
    switch (event->key()) {
    case Qt::Key_Left: return read(std::max(1, m_rank - 1));
    case Qt::Key_Right: return read(std::min(last, m_rank + 1));
    case Qt::Key_Home: return read(1);
    case Qt::Key_End: return read(last);
    case Qt::Key_Escape: return read(0);
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace wb::ui::inspect
