// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/contents/contents.h"
#include "ui/plots/distribution_plot.h"
#include "ui/plots/plot_axis.h"

#include <QWidget>

namespace wb::ui::inspect {

// The histogram of one tensor. The mouse or the arrow keys choose a bin, whose range and count are shown and spoken; the same
// numbers are in a table next to it.
class HistogramView : public QWidget {
    Q_OBJECT

public:
    explicit HistogramView(QWidget* parent = nullptr);

    void setStatistics(stats::StatsPtr stats, Counted counted = Counted::Elements); // null: nothing to show
    void setLogarithmic(bool logarithmic);
    bool isLogarithmic() const { return m_logarithmic; }

    int currentBin() const { return m_bin; } // -1: none
    QSize sizeHint() const override { return {380, 200}; }
    QSize minimumSizeHint() const override { return {220, 120}; }

signals:
    void currentBinChanged(int bin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    bool hasHistogram() const { return m_stats && m_stats->histogram && !m_stats->histogram->counts.empty(); }
    int binCount() const { return static_cast<int>(m_stats->histogram->counts.size()); }
    QRectF plotArea() const;
    PlotAxis valueAxis() const;
    double height(quint64 count) const; // 0 … 1 of the plot's height
    double binEdge(int bin) const;      // pixel
    void setBin(int bin);
    void describe();
    void paintGrid(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintMarkers(QPainter& painter) const;
    void paintBin(QPainter& painter) const;

    stats::StatsPtr m_stats;
    Counted m_counted = Counted::Elements;
    quint64 m_largest = 0;
    bool m_logarithmic = false;
    int m_bin = -1;
};

} // namespace wb::ui::inspect
