// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/quantize/mix_session.h"

#include <QWidget>

namespace wb::ui::convert {

// The error of every mix over the size of its file, and the curve of what a budget reaches. Points are read with the mouse or with
// the arrow keys; a click or Enter chooses a mix. Every number also is in the table next to it.
class MixPlot : public QWidget {
    Q_OBJECT

public:
    explicit MixPlot(const MixSession& mixes, QWidget* parent = nullptr);

    QString sentence() const; // of the marked mix, else of the picture
    QSize sizeHint() const override { return {560, 190}; }
    QSize minimumSizeHint() const override { return {240, 130}; }

signals:
    void mixChosen(int row); // of the table

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Point {
        int row;
        double bytes, error;
    };
    void readPoints();
    void setCurrent(int point);
    QRectF area() const;
    QPointF pixel(double bytes, double error) const;
    int pointAt(const QPointF& at) const;
    void paintAxes(QPainter& painter) const;
    void paintPoints(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    bool isEmphasized(std::size_t point) const; // recommended, or pointed at

    const MixSession& m_mixes;
    std::vector<Point> m_points; // by rising size
    double m_largestFile = 1, m_highest = 1, m_lowest = 0.001;
    int m_current = -1; // of the points
};

} // namespace wb::ui::convert
