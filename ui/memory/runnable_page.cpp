// SPDX-License-Identifier: MIT
#include "ui/memory/runnable_page.h"

#include "core/memory/cards/memories.h"
#include "ui/memory/fields.h"
#include "ui/memory/phrases.h"
#include "ui/shell/services/devices.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/translate.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

constexpr int leastContext = 512, mostContext = 1 << 20, contextStep = 4096, usualContext = 8192;

QString typeText(const WeightType& type) { return QString::fromLatin1(type.name); }

// In words, since not everybody sees a color.
Cell fitCell(const TypeFit& fit) {
    const QString bytes = bytesText(fit.need);
    const QVariant key = static_cast<qulonglong>(fit.need);
    switch (fit.verdict) {
    case Verdict::Fits: return {bytes, key, {}, true};
    case Verdict::Tight: return {RunnablePage::tr("%1, tight").arg(bytes), key, {}, true};
    case Verdict::No: break;
    }
    return {QStringLiteral("–"), key, {}, true};
}

CellRow modelRow(const RunnableModel& model) {
    const auto best = model.best();
    CellRow row{{text(model.shape->name)},
                {shownShortCount(model.shape->parameters()), static_cast<qulonglong>(model.shape->parameters()), {}, true},
                {best ? typeText(*model.types[*best].type) : RunnablePage::tr("too large"), best ? static_cast<int>(*best) : -1}};
    for (const TypeFit& fit : model.types) row.push_back(fitCell(fit));
    return row;
}

} // namespace

RunnablePage::RunnablePage(const Services& services, QWidget* parent)
    : QWidget(parent), m_services(services), m_job(services.jobs), m_device(makeBox(this, "runnableDevice")),
      m_context(makeSpin(this, "runnableContext", leastContext, mostContext, contextStep)), m_heading(makeHeading(this)),
      m_deviceLabel(new QLabel(this)), m_contextLabel(new QLabel(this)), m_summary(makeMutedLabel(this)),
      m_estimate(new QPushButton(this)), m_table(new QTableView(this)) {
    m_context->setValue(usualContext);
    m_context->setGroupSeparatorShown(true);
    m_deviceLabel->setBuddy(m_device);
    m_contextLabel->setBuddy(m_context);
    m_estimate->setObjectName(QStringLiteral("estimateRunnable"));
    m_table->setObjectName(QStringLiteral("runnableTable"));
    showSorted(m_table, &m_models, KeyRole);
    setUpTable(m_table, m_table->fontMetrics().height() + 10);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setStretchLastSection(false);
    auto* row = new QHBoxLayout;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_deviceLabel, m_device, m_contextLabel, m_context})
        row->addWidget(widget);
    row->addStretch(1);
    row->addWidget(m_estimate);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->addWidget(m_heading);
    layout->addLayout(row);
    layout->addWidget(m_summary);
    layout->addWidget(m_table, 1);
    connect(m_device, &QComboBox::activated, this, &RunnablePage::ask);
    connect(m_context, &QSpinBox::valueChanged, this, &RunnablePage::ask);
    connect(m_estimate, &QPushButton::clicked, this, &RunnablePage::estimateChosen);
    connect(m_table, &QTableView::activated, this, &RunnablePage::estimateChosen);
    keepTranslated(this, [this] { retranslate(); });
}

void RunnablePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!std::exchange(m_wasAsked, true)) ask();
}

// The memories of this computer may load a driver: by a job.
void RunnablePage::ask() {
    using Models = std::vector<RunnableModel>;
    const int card = m_device->currentIndex() - 1;
    std::vector<Memory> chosen;
    if (card >= 0) chosen.push_back(cardMemory(cards()[static_cast<std::size_t>(card)]));
    const auto work = [chosen, devices = memoryLister(m_services.devices),
                       context = static_cast<std::uint64_t>(m_context->value())](const Progress& progress) -> Result<Models> {
        return runnableModels(chosen.empty() ? memoriesHere(devices) : chosen, context, progress);
    };
    m_job.start<Models>(
        tr("Estimating which models fit"), work, [this](const Models& models) { show(models); },
        [this](const Error& error) { m_summary->setText(translated(error)); });
}

void RunnablePage::show(const std::vector<RunnableModel>& models) {
    m_shown = models;
    std::vector<CellRow> rows;
    for (const RunnableModel& model : models)
        if (model.best()) rows.push_back(modelRow(model));
    m_models.setRows(std::move(rows));
    m_table->resizeColumnsToContents();
    for (int column = 0; column < m_models.columnCount(); ++column) // numbers of neighbors keep apart
        m_table->setColumnWidth(column, m_table->columnWidth(column) + 16);
    m_table->sortByColumn(1, Qt::DescendingOrder);
    m_table->selectRow(0);
    m_summary->setText(summary());
    m_estimate->setEnabled(m_models.rowCount() > 0);
}

// "22 of 33 known models fit; the largest is …": the answer in a sentence.
QString RunnablePage::summary() const {
    if (m_shown.empty()) return {};
    const auto largest = std::ranges::find_if(m_shown, [](const RunnableModel& model) { return model.best().has_value(); });
    if (largest == m_shown.end()) return tr("None of the known models fits.");
    return tr("%1 of %2 known models fit. The largest is %3 as %4. Each column shows the memory that the model needs as that type.")
        .arg(m_models.rowCount())
        .arg(m_shown.size())
        .arg(text(largest->shape->name), typeText(*largest->types[*largest->best()].type));
}

void RunnablePage::estimateChosen() {
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid()) emit estimateWanted(current.siblingAtColumn(0).data().toString());
}

void RunnablePage::fillDevices() {
    const QSignalBlocker quiet(m_device);
    const int present = std::max(0, m_device->currentIndex());
    m_device->clear();
    m_device->addItem(tr("This computer"));
    for (const wb::memory::Card& card : cards()) m_device->addItem(text(card.vendor + " " + card.title()));
    m_device->setCurrentIndex(present);
}

void RunnablePage::retranslate() {
    m_heading->setText(tr("What can I run?"));
    m_deviceLabel->setText(tr("Device"));
    m_contextLabel->setText(tr("Context length"));
    m_context->setSuffix(tr(" tokens"));
    m_device->setAccessibleName(tr("Device"));
    m_context->setAccessibleName(tr("Context length"));
    m_estimate->setText(tr("Show the estimate of this model"));
    m_table->setAccessibleName(tr("Models that fit"));
    QStringList titles{tr("Model"), tr("Parameters"), tr("Best type")};
    for (const WeightType* type : runnableTypes()) titles << typeText(*type);
    m_models.setTitles(titles);
    fillDevices();
    show(std::vector(m_shown));
}

} // namespace wb::ui::memory
