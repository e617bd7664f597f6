// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/document/document.h"

#include <QWidget>

class QComboBox;
class QPushButton;
class QDoubleSpinBox;

namespace wb::ui::inspect {

class CellTableView;
class ModelMapView;

// Any statistic of all layers and parts in one picture, and the list of those that leave their family.
class ModelMapPanel : public QWidget {
    Q_OBJECT

public:
    explicit ModelMapPanel(const Document& document, QWidget* parent = nullptr);

signals:
    void computeWanted(); // the statistics that are not known yet
    void tensorChosen(quint32 tensor);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeControls();
    void refresh();

    const Document& m_document;
    QComboBox* m_statistic;
    QPushButton* m_compute = nullptr;
    QDoubleSpinBox* m_limit;
    ModelMapView* m_view;
    CellTableView* m_outliers;
    CellTableView* m_all;
};

} // namespace wb::ui::inspect
