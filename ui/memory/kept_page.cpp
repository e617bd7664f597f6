// SPDX-License-Identifier: MIT
#include "ui/memory/kept_page.h"

#include "ui/memory/phrases.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/translate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace wb::ui::memory {

KeptPage::KeptPage(MemorySession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_table(new QTableView(this)), m_keep(new QPushButton(this)),
      m_clear(new QPushButton(this)) {
    m_keep->setObjectName(QStringLiteral("keepPlan"));
    m_clear->setObjectName(QStringLiteral("clearPlans"));
    showSorted(m_table, &m_plans, KeyRole);
    setUpTable(m_table, m_table->fontMetrics().height() + 10);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_keep, &QPushButton::clicked, this, [this] {
        if (m_session.isCounted()) m_session.keep();
    });
    connect(m_clear, &QPushButton::clicked, &m_session, &MemorySession::clearKept);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_keep);
    buttons->addWidget(m_clear);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addLayout(buttons);
    layout->addWidget(m_table, 1);
    keepTranslated(this, [this] { retranslate(); });
}

void KeptPage::refresh() {
    std::vector<CellRow> rows;
    int position = 0;
    for (const KeptPlan& plan : m_session.kept())
        rows.push_back({{plan.model, position++},
                        {plan.use},
                        {plan.type.isEmpty() ? tr("as stored") : plan.type},
                        numberCell(plan.context),
                        memoryCell(plan.gpu),
                        memoryCell(plan.main),
                        memoryCell(plan.gpu + plan.main),
                        {plan.settings}});
    m_plans.setRows(std::move(rows));
    m_keep->setEnabled(m_session.isCounted());
    m_clear->setEnabled(!m_session.kept().empty());
    m_table->resizeColumnsToContents();
}

void KeptPage::retranslate() {
    m_plans.setTitles({tr("Model"), tr("Runtime"), tr("Type"), tr("Context"), tr("VRAM"), tr("RAM"), tr("Total"), tr("Settings")});
    m_table->setAccessibleName(tr("Compared configurations"));
    m_keep->setText(tr("Add to comparison"));
    m_keep->setToolTip(tr("Adds the current model and settings to the table for comparison"));
    m_clear->setText(tr("Clear"));
    refresh();
}

} // namespace wb::ui::memory
