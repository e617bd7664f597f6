// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/what_if.h"

#include <QWidget>

namespace wb::ui::inspect {

// Where in a matrix the error lies: cells of root mean squared error, from nothing to the largest.
class ErrorMapView : public QWidget {
    Q_OBJECT

public:
    explicit ErrorMapView(QWidget* parent = nullptr);

    void setMap(const quant::ErrorMap& map);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    quant::ErrorMap m_map;
};

} // namespace wb::ui::inspect
