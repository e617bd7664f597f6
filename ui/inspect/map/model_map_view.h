// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/map/model_map.h"

#include <QWidget>

namespace wb::ui::inspect {

// The model map as colored cells, each line in its own range of colors. The mouse or the arrow keys choose a cell, a click or
// Enter opens its tensor; cells that leave their line have a frame.
class ModelMapView : public QWidget {
    Q_OBJECT

public:
    explicit ModelMapView(QWidget* parent = nullptr);

    void setMap(const QString& statistic, ModelMap map, const QString& emptyReason);
    QString sentence() const;
    QRectF cellRect(std::size_t line, std::uint64_t layer) const;
    static QColor cellColor(const TrendLine& line, double value); // by the line's own range
    QSize sizeHint() const override { return {560, 240}; }
    QSize minimumSizeHint() const override { return {280, 140}; }

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
        int layer = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    const TrendPoint* at(const Place& place) const; // null where the line has no such layer
    void setPlace(const Place& place);
    void choose();
    void paintLegend(QPainter& painter) const;
    void paintLine(QPainter& painter, std::size_t line) const;

    QString m_statistic, m_emptyReason;
    ModelMap m_map;
    Place m_place;
};

} // namespace wb::ui::inspect
