// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/spectral/spectrum.h"

#include <QWidget>

namespace wb::ui::inspect {

// Singular values by their rank on two logarithmic axes, with the line of the power-law fit over its tail. The mouse or the arrow
// keys read single values; the reading is also the accessible description, and all values are in the table next to it.
class SpectrumPlot : public QWidget {
    Q_OBJECT

public:
    explicit SpectrumPlot(QWidget* parent = nullptr);

    void setSpectrum(std::shared_ptr<const stats::Spectrum> spectrum); // null: nothing
    QString sentence() const;

    QSize sizeHint() const override { return {380, 220}; }
    QSize minimumSizeHint() const override { return {200, 110}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF area() const;
    QPointF point(std::size_t rank, double value) const; // rank from 1
    void paintAxes(QPainter& painter) const;
    void read(int rank);

    std::shared_ptr<const stats::Spectrum> m_spectrum;
    std::size_t m_count = 0;      // values above zero
    double m_low = 0, m_high = 1; // decimal logarithms of the values shown
    int m_rank = 0;               // that is read; 0: none
};

} // namespace wb::ui::inspect
