// SPDX-License-Identifier: MIT
#pragma once

#include "ui/plots/plot_axis.h"

#include <QWidget>

namespace wb::ui::convert {

class ErrorModel;

// The relative errors of a finished run as bars, a tensor each, in the order of the file. The mouse or the arrow keys read one bar,
// which is also the accessible description; a click or Enter chooses its tensor.
class ErrorChart : public QWidget {
    Q_OBJECT

public:
    explicit ErrorChart(const ErrorModel& model, QWidget* parent = nullptr);

    int current() const { return m_current; } // a row of the model; -1: none
    void setCurrent(int row);
    QString sentence() const;
    QSize sizeHint() const override { return {560, 150}; }

signals:
    void tensorChosen(int row); // of the model

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void readErrors();
    int count() const { return static_cast<int>(m_errors.size()); }
    QRectF plotArea() const;
    double edge(int row) const; // pixel where its bar starts
    int rowAt(double x) const;  // the one with the largest error where several share a pixel; -1: none
    QString rowSentence(int row) const;
    void paintGrid(QPainter& painter) const;
    void paintBars(QPainter& painter) const;

    const ErrorModel& m_model;
    std::vector<double> m_errors; // by row; 0 if none exists
    double m_largest = 0;
    int m_current = -1;
};

} // namespace wb::ui::convert
