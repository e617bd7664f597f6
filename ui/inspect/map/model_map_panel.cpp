// SPDX-License-Identifier: MIT
#include "ui/inspect/map/model_map_panel.h"

#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/map/model_map_view.h"
#include "ui/widgets/tabs.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/inspect/trend/compute_rest.h"
#include "ui/widgets/box_name.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>

namespace wb::ui::inspect {

ModelMapPanel::ModelMapPanel(const Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_view(new ModelMapView(this)) {
    setObjectName(QStringLiteral("modelMapPanel"));
    QTabWidget* tables = makeTabs(QStringLiteral("modelMapTables"), this);
    m_outliers = new CellTableView(tr("Outlier tensors"), tables);
    m_outliers->setObjectName(QStringLiteral("outliers"));
    m_all = new CellTableView(tr("Model map"), tables);
    m_all->setObjectName(QStringLiteral("modelMapTable"));
    tables->addTab(m_outliers, tr("Outliers"));
    tables->addTab(m_all, tr("All values"));
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_view);
    halves->addWidget(tables);
    halves->setStretchFactor(0, 1);
    halves->setSizes({500, 420});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(makeControls());
    layout->addWidget(halves, 1);

    connect(m_statistic, &QComboBox::currentIndexChanged, this, &ModelMapPanel::refresh);
    connect(m_limit, &QDoubleSpinBox::valueChanged, this, &ModelMapPanel::refresh);
    connect(&document, &Document::statisticsChanged, this, &ModelMapPanel::refresh);
    connect(m_view, &ModelMapView::tensorChosen, this, &ModelMapPanel::tensorChosen);
    for (const CellTableView* table : {m_outliers, m_all})
        connect(table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
            if (const QVariant tensor = index.data(TensorRole); tensor.isValid()) emit tensorChosen(tensor.toUInt());
        });
}

QWidget* ModelMapPanel::makeControls() {
    auto* controls = new QWidget(this);
    m_statistic = new QComboBox(controls);
    for (int column = static_cast<int>(Column::Min); column < columnCount; ++column)
        m_statistic->addItem(columnTitle(static_cast<Column>(column)), column);
    m_statistic->setCurrentIndex(m_statistic->findData(static_cast<int>(Column::Std)));
    m_statistic->setObjectName(QStringLiteral("modelMapStatistic"));
    nameBox(m_statistic, tr("Statistic"));
    auto* label = new QLabel(tr("Outlier threshold"), controls);
    m_limit = new QDoubleSpinBox(controls);
    m_limit->setObjectName(QStringLiteral("outlierLimit"));
    m_limit->setRange(1, 100);
    m_limit->setValue(6);
    m_limit->setDecimals(1);
    m_limit->setSuffix(tr(" MAD"));
    m_limit->setToolTip(tr("Number of median absolute deviations (MAD) between a layer's value and the median of its module above "
                           "which the layer is listed."));
    label->setBuddy(m_limit);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_statistic);
    row->addWidget(label);
    row->addWidget(m_limit);
    row->addStretch(1);
    m_compute = makeComputeRest(controls);
    connect(m_compute, &QPushButton::clicked, this, &ModelMapPanel::computeWanted);
    row->addWidget(m_compute);
    return controls;
}

void ModelMapPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

// A hidden panel is left as it is: during the whole-model job statistics arrive several times a second.
void ModelMapPanel::refresh() {
    if (!isVisible()) return;
    m_compute->setVisible(m_document.computedCount() < m_document.contents().count());
    ModelMap map = mapModel(m_document.contents(), static_cast<Column>(m_statistic->currentData().toInt()), m_limit->value());
    m_outliers->setTable(outlierTable(map));
    m_all->setTable(trendTable(map.lines));
    m_view->setMap(m_statistic->currentText(), std::move(map),
                   m_document.computedCount() == 0 ? tr("Compute statistics for the whole model to see the full map.")
                                                   : tr("None of the tensors with statistics belongs to a layer."));
}

} // namespace wb::ui::inspect
