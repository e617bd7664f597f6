// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/tensors/totals.h"

#include <QWidget>

namespace wb::ui::inspect {

// Totals as one bar of segments, in the colors of the table below it. Hovering names a segment.
class ShareBar : public QWidget {
    Q_OBJECT

public:
    explicit ShareBar(QWidget* parent = nullptr);
    void setTotals(std::vector<Total> totals);
    QSize sizeHint() const override { return {200, 22}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<Total> m_totals;
};

} // namespace wb::ui::inspect
