// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/detail.h"

#include <QWidget>

namespace wb::ui::inspect {

// Where in a matrix two tensors differ: cells with the signed difference of the largest magnitude, blue below zero and red above.
// The mouse or the arrow keys read single cells; the reading is also the accessible description.
class DifferenceMap : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceMap(QWidget* parent = nullptr);

    void setDetail(std::shared_ptr<const diff::Detail> detail); // null: nothing
    QString sentence() const;                                   // about the cell that is read, or the map

    QSize sizeHint() const override { return {320, 200}; }
    QSize minimumSizeHint() const override { return {160, 100}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Position {
        std::size_t row = 0, column = 0;
        bool operator==(const Position&) const = default;
    };
    QRectF mapArea() const;
    float value(const Position& cell) const { return m_detail->map[cell.row * m_detail->mapColumns + cell.column]; }
    void read(std::optional<Position> cell);

    std::shared_ptr<const diff::Detail> m_detail;
    std::optional<Position> m_cell;
};

} // namespace wb::ui::inspect
