// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/whatif/what_if.h"
#include "core/tensor/shape.h"

#include <QWidget>

namespace wb::ui::inspect {

// Where in a matrix the error lies: cells of root mean squared error, from nothing to the largest. The mouse or the arrow keys read
// single cells; a click or Enter chooses the worst block of one.
class ErrorMapView : public QWidget {
    Q_OBJECT

public:
    explicit ErrorMapView(QWidget* parent = nullptr);

    void setMap(const quant::ErrorMap& map, const Shape& shape); // of a tensor of this shape
    QString sentence() const;                                    // about the cell that is read

signals:
    void blockChosen(quint64 row, quint64 column);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Place {
        std::size_t row = 0;
        std::size_t column = 0;
        bool operator==(const Place&) const = default;
    };
    std::optional<Place> cellAt(QPointF position) const;
    std::size_t index(const Place& place) const { return place.row * m_map.columns + place.column; }
    QRectF cellPixels(const Place& place) const;
    void read(std::optional<Place> place);
    void choose();

    quant::ErrorMap m_map;
    std::uint64_t m_rows = 0, m_rowLength = 0; // of the tensor
    std::optional<Place> m_cell;               // that is read
};

} // namespace wb::ui::inspect
