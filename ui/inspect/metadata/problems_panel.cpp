// SPDX-License-Identifier: MIT
#include "ui/inspect/metadata/problems_panel.h"

#include "ui/inspect/tables/cell_table_model.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/metadata/problem_delegate.h"
#include "ui/inspect/tables/tensor_tables.h"
#include "ui/widgets/card.h"

#include <QListView>
#include <QVBoxLayout>

namespace wb::ui::inspect {

ProblemsPanel::ProblemsPanel(const std::vector<Problem>& problems, QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    if (problems.empty()) {
        QLabel* none = makeMutedLabel(this);
        none->setText(tr("No problems were found in this model's files."));
        layout->addWidget(none, 0, Qt::AlignTop);
        return;
    }
    auto* model = new CellTableModel(this);
    TableContent table = problemTable(problems);
    model->setTable(std::move(table.headers), std::move(table.rows));
    auto* list = new QListView(this);
    list->setObjectName(QStringLiteral("problems"));
    list->setAccessibleName(tr("Problems"));
    list->setModel(model);
    list->setItemDelegate(new ProblemDelegate(list));
    list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list->setResizeMode(QListView::Adjust);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    addCopyAction(list);
    layout->addWidget(list);
}

} // namespace wb::ui::inspect
