// SPDX-License-Identifier: MIT
#include "ui/convert/error_chart.h"

#include "ui/convert/plan_model.h"
#include "ui/plots/plot_footer.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace wb::ui::convert {
namespace {

constexpr double axisWidth = 64;
constexpr double readoutHeight = 20;

} // namespace

ErrorChart::ErrorChart(const ErrorModel& model, QWidget* parent) : QWidget(parent), m_model(model) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Relative error of every tensor"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&model, &QAbstractItemModel::modelReset, this, &ErrorChart::readErrors);
    readErrors();
}

void ErrorChart::readErrors() {
    m_errors.clear();
    for (int row = 0; row < m_model.rowCount(); ++row)
        m_errors.push_back(std::max(0.0, m_model.index(row, ErrorModel::Relative).data(SortRole).toDouble()));
    m_largest = m_errors.empty() ? 0 : *std::ranges::max_element(m_errors);
    m_current = -1;
    setAccessibleDescription(sentence());
    update();
}

void ErrorChart::setCurrent(int row) {
    if (row == m_current || row >= count()) return;
    m_current = row;
    setAccessibleDescription(sentence());
    update();
}

QString ErrorChart::rowSentence(int row) const {
    const auto text = [&](int column) { return m_model.index(row, column).data().toString(); };
    return tr("%1: %2 → %3, %4")
        .arg(text(ErrorModel::Name), text(ErrorModel::From), text(ErrorModel::To), text(ErrorModel::Relative));
}

QString ErrorChart::sentence() const {
    if (m_current >= 0) return rowSentence(m_current);
    if (m_largest <= 0) return tr("All tensors are lossless.");
    const auto worst = std::ranges::max_element(m_errors) - m_errors.begin();
    return tr("Relative errors in file order; the largest is %1").arg(rowSentence(static_cast<int>(worst)));
}

QRectF ErrorChart::plotArea() const { return QRectF(rect()).adjusted(axisWidth, readoutHeight + 2, -8, -6 - plotFooterHeight); }

double ErrorChart::edge(int row) const {
    const QRectF area = plotArea();
    return area.left() + area.width() * row / std::max(1, count());
}

int ErrorChart::rowAt(double x) const {
    const QRectF area = plotArea();
    if (m_errors.empty() || x < area.left() || x >= area.right()) return -1;
    const double perPixel = count() / area.width();
    const int first = std::clamp(static_cast<int>((x - area.left()) * perPixel), 0, count() - 1);
    const int last = std::clamp(static_cast<int>((x + 1 - area.left()) * perPixel), first + 1, count());
    return static_cast<int>(std::max_element(m_errors.begin() + first, m_errors.begin() + last) - m_errors.begin());
}

void ErrorChart::paintGrid(QPainter& painter) const {
    const ThemeColors colors = themeColors();
    const QRectF area = plotArea();
    const PlotAxis axis{0, m_largest > 0 ? m_largest : 1, area.bottom(), area.top()};
    const QLocale locale;
    for (const double tick : niceTicks(axis.low, axis.high, std::max(2, static_cast<int>(area.height() / 30)))) {
        const double y = axis.pixel(tick);
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(colors.muted);
        painter.drawText(QRectF(0, y - 8, axisWidth - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tr("%1%").arg(locale.toString(tick * 100, 'g', 4)));
    }
}

// Where bars are thinner than a pixel the largest of a pixel stands for all.
void ErrorChart::paintBars(QPainter& painter) const {
    const QRectF area = plotArea();
    const QColor color = palette().color(QPalette::Link);
    const double width = area.width() / std::max(1, count());
    const double gap = width > 4 ? 1 : 0;
    const auto bar = [&](double left, double wide, double error, const QColor& with) {
        const double height = m_largest > 0 ? area.height() * error / m_largest : 0;
        painter.fillRect(QRectF(left, area.bottom() - height, wide, height), with);
    };
    if (width >= 1) {
        for (int row = 0; row < count(); ++row) bar(edge(row), width - gap, m_errors[static_cast<std::size_t>(row)], color);
    } else {
        for (double x = area.left(); x < area.right(); ++x)
            if (const int row = rowAt(x); row >= 0) bar(x, 1, m_errors[static_cast<std::size_t>(row)], color);
    }
    if (m_current >= 0)
        bar(edge(m_current), std::max(2.0, width - gap), m_errors[static_cast<std::size_t>(m_current)],
            palette().color(QPalette::WindowText));
}

void ErrorChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColors().surface);
    if (m_errors.empty()) return;
    paintGrid(painter);
    paintBars(painter);
    painter.setPen(m_current >= 0 ? palette().color(QPalette::WindowText) : themeColors().muted);
    const QString title = tr("Relative error");
    const double titleWidth = painter.fontMetrics().horizontalAdvance(title) + 16;
    const QRectF line(8 + titleWidth, 0, width() - 16 - titleWidth, readoutHeight);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(sentence(), Qt::ElideMiddle, static_cast<int>(line.width())));
    const QRectF area = plotArea();
    paintPlotTitles(painter, {8, 0, titleWidth, readoutHeight}, title,
                    {area.left(), height() - static_cast<double>(plotFooterHeight), area.width(), plotFooterHeight},
                    tr("Tensors in file order"));
    if (!hasFocus()) return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void ErrorChart::mouseMoveEvent(QMouseEvent* event) { setCurrent(rowAt(event->position().x())); }

void ErrorChart::mousePressEvent(QMouseEvent* event) {
    setCurrent(rowAt(event->position().x()));
    if (m_current >= 0) emit tensorChosen(m_current);
}

void ErrorChart::leaveEvent(QEvent*) { setCurrent(-1); }

void ErrorChart::keyPressEvent(QKeyEvent* event) {
    const int last = count() - 1;
    switch (event->key()) {
    case Qt::Key_Left: return setCurrent(std::max(0, m_current - 1));
    case Qt::Key_Right: return setCurrent(std::min(last, m_current + 1));
    case Qt::Key_Home: return setCurrent(std::min(0, last));
    case Qt::Key_End: return setCurrent(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0) emit tensorChosen(m_current);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void ErrorChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ErrorChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace wb::ui::convert
