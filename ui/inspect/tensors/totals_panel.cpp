// SPDX-License-Identifier: MIT
#include "ui/inspect/tensors/totals_panel.h"

#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tensors/share_bar.h"
#include "ui/widgets/card.h"

#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

void addGroup(QVBoxLayout* layout, QWidget* parent, const QString& heading, const QString& column, std::vector<Total> totals,
              const QString& name) {
    auto* title = makeHeading(parent);
    title->setText(heading);
    auto* bar = new ShareBar(parent);
    auto* table = new CellTableView(heading, parent);
    table->setObjectName(name);
    table->setStretchedColumn(-1);
    table->setTable(totalsTable(totals, column));
    bar->setTotals(std::move(totals));
    layout->addWidget(title);
    layout->addWidget(bar);
    layout->addWidget(table, 1);
}

} // namespace

TotalsPanel::TotalsPanel(const stats::Contents& contents, QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 8);
    layout->setSpacing(6);
    addGroup(layout, this, tr("By type"), tr("Type"), totalsByType(contents), QStringLiteral("totalsByType"));
    layout->addSpacing(8);
    addGroup(layout, this, tr("By role"), tr("Role"), totalsByRole(contents), QStringLiteral("totalsByRole"));
}

} // namespace wb::ui::inspect
