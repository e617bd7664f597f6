// SPDX-License-Identifier: MIT
#pragma once

#include "ui/plots/plot_axis.h"
#include "ui/inspect/trend/trend.h"

#include <QSet>
#include <QWidget>

namespace wb::ui::inspect {

// One statistic over layers or checkpoints, a line for each part, role or tensor. The mouse or the arrow keys choose a point, a
// click or Enter opens its tensor. A click on its name in the legend, or the space bar, hides and shows a line; the axes fit the
// lines that are shown.
class TrendView : public QWidget {
    Q_OBJECT

public:
    explicit TrendView(QWidget* parent = nullptr);

    void setTrend(const QString& statistic, std::vector<TrendLine> lines, const QString& emptyReason);
    void setAxis(TrendAxis axis);            // of the positions; by default layers
    void setLogarithmic(bool isLogarithmic); // the axis of values, where all of them are positive
    const std::vector<TrendLine>& lines() const { return m_lines; }
    // By title: a line stays hidden when another statistic is shown.
    const QSet<QString>& hiddenLines() const { return m_hidden; }
    void setHiddenLines(const QSet<QString>& titles);
    bool isHidden(std::size_t line) const { return m_hidden.contains(m_lines[line].title); }
    void setLineHidden(const QString& title, bool isHidden);
    QRectF legendEntry(std::size_t line) const; // empty: below the last one that fits
    QSize sizeHint() const override { return {560, 200}; }
    QSize minimumSizeHint() const override { return {280, 120}; }

signals:
    void tensorChosen(quint32 tensor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Place {
        int line = -1; // -1: none
        int point = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };

    bool isEmpty() const { return m_lines.empty(); }
    bool hasShownLines() const { return m_positions.low <= m_positions.high; }
    bool isPointShown() const { return m_place.line >= 0 && !isHidden(static_cast<std::size_t>(m_place.line)); }
    std::size_t countLegendEntries() const; // that fit, without the number of those that do not
    void fitAxes();
    void toggleLine(int line);
    bool hasLogAxis() const { return m_isLogarithmic && m_values.low > 0; }
    double scaled(double value) const; // as the axis of values has it
    const TrendPoint& at(const Place& place) const;
    QRectF plotArea() const;
    PlotAxis positionAxis() const;
    PlotAxis valueAxis() const;
    QPointF position(const TrendPoint& point) const;
    Place nearest(const QPointF& position) const;
    int legendLineAt(const QPointF& position) const;
    void setPlace(const Place& place);
    void moveLine(int step);
    void choose();
    QString sentence() const;
    void paintGrid(QPainter& painter) const;
    void paintTitles(QPainter& painter) const;
    void paintLine(QPainter& painter, std::size_t line) const;
    void paintLegend(QPainter& painter) const;
    void paintLegendEntry(QPainter& painter, std::size_t line) const;

    QString m_statistic;
    QString m_emptyReason;
    std::vector<TrendLine> m_lines;
    QSet<QString> m_hidden;
    TrendAxis m_axis = TrendAxis::Layer;
    bool m_isLogarithmic = false;
    PlotAxis m_positions, m_values; // ranges only
    Place m_place;
};

} // namespace wb::ui::inspect
