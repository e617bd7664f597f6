// SPDX-License-Identifier: MIT
#include "ui/convert/weights/parents_panel.h"

#include "ui/convert/table_parts.h"
#include "ui/convert/weights/named_button.h"
#include "ui/convert/weights/parents_model.h"
#include "ui/widgets/card.h"
#include "ui/widgets/sentence.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace wb::ui::convert {

ParentsPanel::ParentsPanel(const Services& services, QWidget* parent)
    : QWidget(parent), m_services(services), m_comparing(services.jobs), m_model(new ParentsModel(this)),
      m_compare(makeNamedButton(this, "compareParents", "table", tr("Compare with the merged models"))),
      m_state(makeMutedLabel(this)), m_table(makeTable(m_model, tr("Distance from the merged models"), this)) {
    m_compare->setToolTip(tr("Reads all models again and measures how far every tensor is from each of them"));
    m_state->setObjectName(QStringLiteral("parentsState"));
    m_table->setObjectName(QStringLiteral("parentsTable"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setColumnWidth(ParentsModel::Tensor, 320);
    m_table->setColumnWidth(ParentsModel::Parent, 160);
    m_table->setColumnWidth(ParentsModel::Relative, 140);
    m_table->setColumnWidth(ParentsModel::Cosine, 150);
    connect(m_compare, &QPushButton::clicked, this, &ParentsPanel::compare);
    auto* line = new QHBoxLayout;
    line->addWidget(m_compare);
    line->addWidget(m_state, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(line);
    layout->addWidget(m_table, 1);
    hide();
}

void ParentsPanel::setPlan(const std::shared_ptr<const wb::convert::WeightsPlan>& plan) {
    setVisible(plan != nullptr);
    if (plan == m_plan) return;
    m_plan = plan;
    m_comparing.cancel();
    m_model->setChanges({});
    m_state->clear();
    refresh();
}

void ParentsPanel::compare() {
    if (m_comparing.isRunning()) {
        m_comparing.cancel();
        return refresh();
    }
    if (!m_plan) return;
    using Changes = ParentsModel::Changes;
    const auto work = [plan = m_plan, threads = m_services.settings->threads()](const Progress& progress) {
        return merge::mergeChanges(*plan->model, threads, progress);
    };
    const auto done = [this](const Changes& changes) {
        m_model->setChanges(changes);
        refresh();
    };
    const auto failed = [this](const Error& error) {
        m_state->setText(Sentence(error).text());
        refresh();
    };
    m_state->clear();
    m_comparing.start<Changes>(tr("Comparing models"), work, done, failed, true, [this] { refresh(); });
    refresh();
}

void ParentsPanel::refresh() {
    m_compare->setText(m_comparing.isRunning() ? tr("Stop") : tr("Compare with the merged models"));
    m_table->setVisible(m_model->rowCount() > 0);
}

} // namespace wb::ui::convert
