// SPDX-License-Identifier: MIT
#include "ui/inspect/trend/trend_panel.h"

#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tensors/tensor_table_model.h"
#include "ui/inspect/trend/compute_rest.h"
#include "ui/inspect/trend/trend_view.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/icons.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

namespace wb::ui::inspect {

TrendPanel::TrendPanel(const Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_statistic(new QComboBox(this)), m_grouping(new QComboBox(this)),
      m_stack(new QStackedWidget(this)), m_view(new TrendView(this)), m_table(new CellTableView(tr("Layer trend"), this)),
      m_logarithmic(new QCheckBox(tr("Log axis"), this)), m_linesMenu(new QMenu(this)) {
    m_table->setObjectName(QStringLiteral("trendTable"));
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_table);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(makeControls());
    layout->addWidget(m_stack, 1);

    connect(m_statistic, &QComboBox::currentIndexChanged, this, &TrendPanel::refresh);
    connect(m_grouping, &QComboBox::currentIndexChanged, this, &TrendPanel::refresh);
    connect(&document, &Document::statisticsChanged, this, &TrendPanel::refresh);
    connect(m_view, &TrendView::tensorChosen, this, &TrendPanel::tensorChosen);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (const QVariant tensor = index.data(TensorRole); tensor.isValid()) emit tensorChosen(tensor.toUInt());
    });
}

QWidget* TrendPanel::makeControls() {
    auto* controls = new QWidget(this);
    for (int column = static_cast<int>(Column::Min); column < columnCount; ++column)
        m_statistic->addItem(columnTitle(static_cast<Column>(column)), column);
    m_statistic->setCurrentIndex(m_statistic->findData(static_cast<int>(Column::Std)));
    m_statistic->setObjectName(QStringLiteral("trendStatistic"));
    m_grouping->addItem(tr("by module"), static_cast<int>(TrendGrouping::Part));
    m_grouping->addItem(tr("by role"), static_cast<int>(TrendGrouping::Role));
    m_grouping->setObjectName(QStringLiteral("trendGrouping"));
    m_logarithmic->setObjectName(QStringLiteral("trendLogarithmic"));
    m_logarithmic->setToolTip(tr("Logarithmic axis, where all values are positive"));
    connect(m_logarithmic, &QCheckBox::toggled, m_view, &TrendView::setLogarithmic);
    auto* lines = new QToolButton(controls);
    lines->setObjectName(QStringLiteral("trendLines"));
    lines->setText(tr("Show lines"));
    lines->setToolTip(tr("Shows and hides lines; a click on a name in the legend does the same."));
    lines->setPopupMode(QToolButton::InstantPopup);
    lines->setMenu(m_linesMenu);
    connect(m_linesMenu, &QMenu::aboutToShow, this, &TrendPanel::fillLines);
    auto* asTable = new QToolButton(controls);
    asTable->setIcon(icon(QStringLiteral("table")));
    asTable->setCheckable(true);
    asTable->setAccessibleName(tr("Show values as a table"));
    asTable->setToolTip(tr("Show values as a table"));
    connect(asTable, &QToolButton::toggled, m_stack, &QStackedWidget::setCurrentIndex);

    m_compute = makeComputeRest(controls);
    connect(m_compute, &QPushButton::clicked, this, &TrendPanel::computeWanted);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_statistic);
    row->addWidget(m_grouping);
    row->addWidget(m_logarithmic);
    row->addWidget(lines);
    nameBox(m_statistic, tr("Statistic"));
    nameBox(m_grouping, tr("Lines"));
    row->addStretch(1);
    row->addWidget(m_compute);
    row->addWidget(asTable);
    return controls;
}

void TrendPanel::fillLines() {
    m_linesMenu->clear();
    connect(m_linesMenu->addAction(tr("All lines")), &QAction::triggered, m_view, [this] { m_view->setHiddenLines({}); });
    m_linesMenu->addSeparator();
    for (const TrendLine& line : m_view->lines()) {
        QAction* const action = m_linesMenu->addAction(QString(line.title).replace(u'&', QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(!m_view->hiddenLines().contains(line.title));
        connect(action, &QAction::toggled, m_view,
                [this, title = line.title](bool isShown) { m_view->setLineHidden(title, !isShown); });
    }
}

void TrendPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

// A hidden panel is left as it is: during the whole-model job statistics arrive several times a second.
void TrendPanel::refresh() {
    if (!isVisible()) return;
    m_compute->setVisible(m_document.computedCount() < m_document.contents().count());
    const auto statistic = static_cast<Column>(m_statistic->currentData().toInt());
    auto lines = computeTrend(m_document.contents(), statistic, static_cast<TrendGrouping>(m_grouping->currentData().toInt()));
    m_table->setTable(trendTable(lines));
    const QString reason = m_document.computedCount() == 0
                               ? tr("Compute statistics for the whole model to see how they change across layers.")
                               : tr("None of the tensors with statistics belongs to a layer.");
    m_view->setTrend(m_statistic->currentText(), std::move(lines), reason);
}

QJsonObject TrendPanel::save() const {
    QStringList hidden = m_view->hiddenLines().values();
    hidden.sort();
    return {{QStringLiteral("statistic"), m_statistic->currentData().toInt()},
            {QStringLiteral("grouping"), m_grouping->currentIndex()},
            {QStringLiteral("logarithmic"), m_logarithmic->isChecked()},
            {QStringLiteral("hidden"), QJsonArray::fromStringList(hidden)}};
}

void TrendPanel::restore(const QJsonObject& state) {
    if (state.isEmpty()) return;
    const int statistic = m_statistic->findData(state.value(QStringLiteral("statistic")).toInt(-1));
    if (statistic >= 0) m_statistic->setCurrentIndex(statistic);
    m_logarithmic->setChecked(state.value(QStringLiteral("logarithmic")).toBool());
    QSet<QString> hidden;
    for (const auto& title : state.value(QStringLiteral("hidden")).toArray()) hidden.insert(title.toString());
    m_view->setHiddenLines(hidden);
    m_grouping->setCurrentIndex(state.value(QStringLiteral("grouping")).toInt() == 1 ? 1 : 0);
}

} // namespace wb::ui::inspect
