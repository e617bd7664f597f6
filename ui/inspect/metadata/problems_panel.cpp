// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/problems_panel.h"

#include "ui/inspect/tables/cell_table_model.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/metadata/problem_delegate.h"
#include "ui/inspect/tables/tensor_tables.h"
#include "ui/widgets/card.h"

#include <QEvent>
#include <QListView>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::inspect {

ProblemsPanel::ProblemsPanel(const std::vector<Problem>& problems, QWidget* parent)
    : QWidget(parent), m_model(new CellTableModel(this)), m_list(new QListView(this)), m_none(makeMutedLabel(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    m_none->setText(tr("No problems found in this model's files."));
    layout->addWidget(m_none, 0, Qt::AlignTop);
    m_list->setObjectName(QStringLiteral("problems"));
    m_list->setAccessibleName(tr("Problems"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ProblemDelegate(m_list));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    addCopyAction(m_list);
    layout->addWidget(m_list);
    setProblems(problems);
}

void ProblemsPanel::setProblems(const std::vector<Problem>& problems) {
    TableContent table = problemTable(problems);
    m_model->setTable(std::move(table.headers), std::move(table.rows));
    m_none->setVisible(problems.empty());
    m_list->setVisible(!problems.empty());
    fitHeight();
}

void ProblemsPanel::fitRows(int mostHeight) {
    m_mostHeight = mostHeight;
    m_list->viewport()->installEventFilter(this); // sentences take more lines where it is narrow
    fitHeight();
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_list->viewport() && event->type() == QEvent::Resize) fitHeight();
    return QWidget::eventFilter(watched, event);
}

void ProblemsPanel::fitHeight() {
    if (m_mostHeight == 0) return;
    int height = 2 * m_list->frameWidth();
    for (int row = 0; row < m_model->rowCount() && height < m_mostHeight; ++row) height += m_list->sizeHintForRow(row);
    m_list->setFixedHeight(std::min(height, m_mostHeight));
}

} // namespace wb::ui::inspect
