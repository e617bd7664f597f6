// SPDX-License-Identifier: MIT
#include "ui/memory/memory_view.h"

#include "ui/memory/devices_page.h"
#include "ui/memory/kept_page.h"
#include "ui/memory/phrases.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/translate.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <numeric>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

QString trustText(Trust trust) {
    switch (trust) {
    case Trust::Allocated: return MemoryView::tr("allocated by the engine");
    case Trust::Plan: return MemoryView::tr("the engine's own plan");
    case Trust::Header: return MemoryView::tr("based on the model's tensors");
    case Trust::Config: return MemoryView::tr("based on its config.json");
    case Trust::Rule: return MemoryView::tr("based on a size or name: shape of a known model");
    }
    return {};
}

CellRow partRow(const MemoryPart& part) {
    const QString where = part.device == 0 ? sideTitle(part.side) : MemoryView::tr("GPU %1").arg(part.device + 1);
    return {{partTitle(part.kind), {}, partColor(part.kind)}, {where}, memoryCell(part.bytes), {partFormula(part)}};
}

CellRow adviceRow(const Advice& advice, int position) {
    return {{shown(advice.change), position}, memoryCell(advice.saves), {shown(advice.cost)}};
}

QString methodTitle(Method method) {
    switch (method) {
    case Method::Full: return MemoryView::tr("full fine-tuning");
    case Method::Lora: return MemoryView::tr("LoRA");
    case Method::Qlora: return MemoryView::tr("QLoRA");
    case Method::Prompt: return MemoryView::tr("prompt tuning");
    case Method::Prefix: return MemoryView::tr("prefix tuning");
    case Method::Dpo: return MemoryView::tr("DPO");
    }
    return {};
}

} // namespace

MemoryView::MemoryView(MemorySession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_total(makeHeading(this)), m_rule(makeMutedLabel(this)), m_notes(makeMutedLabel(this)),
      m_bar(new PartsBar(this)), m_tabs(makeTabs(QStringLiteral("memoryTables"), this)), m_best(makeMutedLabel(this)),
      m_take(new QPushButton(this)), m_quantize(new QPushButton(this)), m_devices(new DevicesPage(session, m_tabs)),
      m_kept(new KeptPage(session, m_tabs)) {
    m_total->setObjectName(QStringLiteral("total"));
    m_total->setWordWrap(true);
    m_rule->setObjectName(QStringLiteral("rule"));
    m_partsTable = addTable(m_parts, m_tabs, -1);
    using Table = TypeTableModel;
    m_typesTable = new TypeTableView(
        &m_types, {Table::Type, Table::Bits, Table::Size, Table::Plain, Table::WithMatrix, Table::Need, Table::Fit}, Table::Size,
        Qt::DescendingOrder, m_tabs);
    m_tabs->addTab(m_partsTable, {});
    m_tabs->addTab(makeTypes(), {});
    m_tabs->addTab(m_devices, {});
    m_adviceTable = addTable(m_advice, m_tabs, 0);
    m_tabs->addTab(m_adviceTable, {});
    m_tabs->addTab(m_kept, {});
    auto* layout = new QVBoxLayout(this);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_total, m_bar, m_rule}) layout->addWidget(widget);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(m_notes);
    connect(&m_session, &MemorySession::changed, this, &MemoryView::refresh);
    keepTranslated(this, [this] { retranslate(); });
}

RowsModel* MemoryView::cards() { return m_devices->cards(); }
RowsModel* MemoryView::plans() { return m_kept->plans(); }
QString MemoryView::heading() const { return m_total->text(); }

const QAbstractItemModel& MemoryView::shownTable() const {
    const QWidget* page = m_tabs->currentWidget();
    if (page == m_typesPage) return m_types;
    if (page == m_devices) return *m_devices->cards();
    if (page == m_adviceTable) return m_advice;
    if (page == m_kept) return *m_kept->plans();
    return m_parts;
}

QList<int> MemoryView::shownColumns() const {
    if (m_tabs->currentWidget() == m_typesPage) return m_typesTable->shownColumns();
    QList<int> columns(shownTable().columnCount());
    std::iota(columns.begin(), columns.end(), 0);
    return columns;
}

QTableView* MemoryView::addTable(RowsModel& model, QWidget* page, int sortColumn) {
    auto* table = new QTableView(page);
    showSorted(table, &model, KeyRole)->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setUpTable(table, table->fontMetrics().height() + 10);
    table->sortByColumn(sortColumn, Qt::AscendingOrder);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

QWidget* MemoryView::makeTypes() {
    m_typesPage = new QWidget(m_tabs);
    m_best->setObjectName(QStringLiteral("bestType"));
    m_take->setObjectName(QStringLiteral("takeType"));
    m_quantize->setObjectName(QStringLiteral("quantizeTo"));
    connect(m_take, &QPushButton::clicked, this, [this] {
        if (const auto* type = chosenType()) m_session.setType(type);
        emit m_session.settingsReplaced();
    });
    connect(m_quantize, &QPushButton::clicked, this, [this] {
        if (const auto* type = chosenType()) emit quantizeWanted(QString::fromLatin1(quant::info(type->file).name));
    });
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_best, 1);
    buttons->addWidget(m_take);
    buttons->addWidget(m_quantize);
    auto* layout = new QVBoxLayout(m_typesPage);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addLayout(buttons);
    layout->addWidget(m_typesTable, 1);
    connect(m_typesTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MemoryView::updateButtons);
    return m_typesPage;
}

// Null: no row is chosen.
const WeightType* MemoryView::chosenType() const {
    const QList<int> rows = m_typesTable->selectedRows();
    return rows.isEmpty() ? nullptr : weightTypeFromName(m_types.typeRow(rows.first()).name.toStdString());
}

// Only a file can be quantized.
void MemoryView::updateButtons() {
    const WeightType* const type = chosenType();
    m_take->setEnabled(type != nullptr);
    m_quantize->setEnabled(type && type->hasMix && QFileInfo::exists(m_session.what()));
}

void MemoryView::showBest() {
    const auto best = m_session.bestType();
    if (!best) return m_best->clear();
    m_best->setText(tr("Recommended for %1: %2, %3 total.")
                        .arg(memoryName(m_session.judgedMemory()), QString::fromLatin1(best->type->name), bytesText(best->need)));
}

void MemoryView::refresh() {
    if (m_session.estimate()) refreshRunning(*m_session.estimate());
    else if (m_session.trainingEstimate()) refreshTraining(*m_session.trainingEstimate());
    else return clear();
    QStringList rule = {tr("Rule of thumb: %1").arg(shown(m_session.rule().text))};
    for (const Phrase& why : m_session.rule().why) rule << shown(why);
    m_rule->setText(rule.join(u'\n'));
    showTables();
}

void MemoryView::clear() {
    for (QLabel* label : {m_total, m_rule, m_notes}) label->clear();
    m_bar->setParts({}, 0);
    m_types.setRows({});
    for (RowsModel* model : {&m_parts, m_devices->cards(), m_devices->choices(), &m_advice}) model->setRows({});
    m_kept->refresh();
}

// The error; empty if the class was never validated.
QString MemoryView::errorText(const Estimate& estimate) const {
    if (const auto& correction = estimate.settings.correction)
        return tr("; calibrated, ±%1 from %n load(s)", nullptr, static_cast<int>(correction->loads))
            .arg(bytesText(correction->range));
    if (!estimate.errorPercent) return {};
    return tr("; error up to %1%").arg(QLocale().toString(*estimate.errorPercent, 'f', 1));
}

void MemoryView::refreshRunning(const Estimate& estimate) {
    std::vector<CellRow> parts;
    for (const MemoryPart& part : estimate.parts) parts.push_back(partRow(part));
    m_parts.setRows(std::move(parts));
    m_total->setText(tr("%1: %2 total, %3 parameters; %4")
                         .arg(text(estimate.name), bytesText(estimate.total()), shownShortCount(estimate.parameters),
                              trustText(estimate.trust)) +
                     errorText(estimate));
    m_bar->setParts(estimate.parts, m_session.rule().bytes);
    showNotes(estimate.notModelled, estimate.problems);
}

void MemoryView::refreshTraining(const TrainingEstimate& estimate) {
    std::vector<MemoryPart> all = estimate.gpuParts;
    all.insert(all.end(), estimate.hostParts.begin(), estimate.hostParts.end());
    std::vector<CellRow> parts;
    for (const MemoryPart& part : all) parts.push_back(partRow(part));
    m_parts.setRows(std::move(parts));
    const QString trained = shownShortCount(estimate.trainable);
    m_total->setText(tr("%1, %2: %3 on each of %n GPU(s), %4 of %5 parameters trainable; %6", nullptr,
                        static_cast<int>(std::min<std::uint64_t>(estimate.settings.gpus, 1'000'000)))
                         .arg(text(estimate.name), methodTitle(estimate.settings.method), bytesText(estimate.gpu()), trained,
                              shownShortCount(estimate.parameters), trustText(estimate.trust)));
    m_bar->setParts(all, m_session.rule().bytes);
    showNotes(estimate.notModelled, estimate.problems);
}

void MemoryView::showNotes(const std::vector<Phrase>& gaps, const std::vector<Problem>& problems) {
    QStringList notes;
    if (m_session.estimate()) // a log does not specify training
        for (const wb::memory::MeasuredLoad& load : m_session.lastMeasured())
            notes << tr("Measured on %1: %2 (estimate: %3).")
                         .arg(text(load.deviceTitle()), bytesText(load.measured), bytesText(load.estimated));
    for (const Phrase& gap : gaps) notes << tr("Not included: %1").arg(shown(gap));
    for (const Problem& problem : problems) notes << translated(asError(ErrorCode::Invalid, problem));
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
}

void MemoryView::showTables() {
    std::vector<CellRow> advice;
    int position = 0;
    for (const Advice& one : m_session.advice()) advice.push_back(adviceRow(one, position++));
    m_types.setRows(m_session.types());
    m_advice.setRows(std::move(advice));
    m_devices->refresh();
    m_kept->refresh();
    showBest();
    updateButtons();
    m_tabs->setTabVisible(m_tabs->indexOf(m_typesPage), m_session.estimate() != nullptr);
    for (QTableView* table : {m_partsTable, m_adviceTable}) table->resizeColumnsToContents();
}

void MemoryView::retranslate() {
    m_parts.setTitles({tr("Component"), tr("Location"), tr("Memory"), tr("Formula")});
    m_types.retranslate();
    m_advice.setTitles({tr("Change"), tr("Saves"), tr("Trade-off")});
    m_tabs->setTabText(0, tr("Breakdown"));
    m_tabs->setTabText(1, tr("Weight types"));
    m_tabs->setTabText(2, tr("Devices"));
    m_tabs->setTabText(3, tr("Reduce memory"));
    m_tabs->setTabText(4, tr("Compare"));
    m_take->setText(tr("Use this type"));
    m_quantize->setText(tr("Quantize to this…"));
    m_quantize->setToolTip(tr("Opens the file in Convert with the selected type"));
    m_partsTable->setAccessibleName(tr("Memory breakdown with formulas"));
    m_typesTable->setAccessibleName(tr("Available weight types"));
    m_adviceTable->setAccessibleName(tr("Ways to reduce memory, cheapest first"));
    refresh();
}

} // namespace wb::ui::memory
