// SPDX-License-Identifier: MIT
#include "ui/inspect/problems_panel.h"

#include "ui/inspect/cell_table_view.h"
#include "ui/widgets/card.h"

#include <QHeaderView>
#include <QLabel>
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
    auto* table = new CellTableView(tr("Problems"), this);
    table->setObjectName(QStringLiteral("problems"));
    table->setStretchedColumn(1);
    table->setWordWrap(true);
    table->setTable(problemTable(problems));
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    layout->addWidget(table);
}

} // namespace wb::ui::inspect
