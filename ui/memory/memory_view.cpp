// SPDX-License-Identifier: MIT
#include "ui/memory/memory_view.h"

#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/translate.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QLocale>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

QString shown(const Phrase& phrase) {
    Error sentence;
    sentence.format = phrase.format;
    sentence.arguments = phrase.arguments;
    return translated(sentence);
}

QString formulaOf(const Part& part) {
    QStringList terms;
    for (const Phrase& term : part.formula) terms << shown(term);
    const QString sum = terms.join(QStringLiteral(" + "));
    if (part.sharedBy == 1) return sum;
    return MemoryView::tr("%1 / %2 GPUs").arg(terms.size() == 1 ? sum : u'(' + sum + u')').arg(part.sharedBy);
}

QString verdictText(Verdict verdict) {
    switch (verdict) {
    case Verdict::Fits: return MemoryView::tr("fits");
    case Verdict::Tight: return MemoryView::tr("tight");
    case Verdict::No: return MemoryView::tr("does not fit");
    }
    return {};
}

QString trustText(Trust trust) {
    switch (trust) {
    case Trust::Header: return MemoryView::tr("counted from the model's own tensors");
    case Trust::Config: return MemoryView::tr("counted from its config.json");
    case Trust::Rule: return MemoryView::tr("from a size or name: the shape of a known model");
    }
    return {};
}

Cell memoryCell(quint64 bytes) { return {bytesText(bytes), static_cast<qulonglong>(bytes), {}, true}; }

// Files are counted in decimal units, as disks are.
Cell fileCell(quint64 bytes) {
    const double size = static_cast<double>(bytes);
    const QString shownSize = bytes < 1'000'000'000 ? QLocale().toString(size / 1e6, 'f', 1) + QStringLiteral(" MB")
                                                    : QLocale().toString(size / 1e9, 'f', 2) + QStringLiteral(" GB");
    return {shownSize, static_cast<qulonglong>(bytes), {}, true};
}

Row partRow(const Part& part) {
    return {{partTitle(part.kind), {}, partColour(part.kind)}, {sideTitle(part.side)}, memoryCell(part.bytes), {formulaOf(part)}};
}

Row typeRow(const TypeRow& type, int position) {
    return {{type.name, position},  {QLocale().toString(type.bitsPerWeight, 'f', 2), type.bitsPerWeight, {}, true},
            fileCell(type.weights), memoryCell(type.weights),
            memoryCell(type.total), {verdictText(type.verdict), static_cast<int>(type.verdict)}};
}

Row cardRow(const Fit& fit, int position) {
    const QString name = fit.memory.name.empty() ? MemoryView::tr("This machine: main memory") : text(fit.memory.name);
    const Cell longest = fit.longestContext
                             ? Cell{shownCount(*fit.longestContext), static_cast<qulonglong>(*fit.longestContext), {}, true}
                             : Cell{QStringLiteral("–"), qulonglong{0}, {}, true};
    return {{name, position},
            memoryCell(fit.memory.available()),
            memoryCell(fit.need),
            longest,
            {verdictText(fit.verdict), static_cast<int>(fit.verdict)}};
}

Row adviceRow(const Advice& advice, int position) {
    return {{shown(advice.change), position}, memoryCell(advice.saves), {shown(advice.cost)}};
}

QString methodTitle(Method method) {
    switch (method) {
    case Method::Full: return MemoryView::tr("full training");
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
      m_bar(new PartsBar(this)), m_tabs(makeTabs(QStringLiteral("memoryTables"), this)), m_filter(new QLineEdit(this)) {
    m_total->setObjectName(QStringLiteral("total"));
    m_rule->setObjectName(QStringLiteral("rule"));
    m_partsTable = addTable(m_parts, m_tabs, -1);
    m_typesTable = addTable(m_types, m_tabs, 0);
    m_tabs->addTab(m_partsTable, {});
    m_tabs->addTab(m_typesTable, {});
    m_tabs->addTab(makeCards(), {});
    m_adviceTable = addTable(m_advice, m_tabs, 0);
    m_tabs->addTab(m_adviceTable, {});
    auto* layout = new QVBoxLayout(this);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_total, m_bar, m_rule}) layout->addWidget(widget);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(m_notes);
    connect(&m_session, &MemorySession::changed, this, &MemoryView::refresh);
    keepTranslated(this, [this] { retranslate(); });
}

QTableView* MemoryView::addTable(RowsModel& model, QWidget* page, int sortColumn) {
    auto* table = new QTableView(page);
    showSorted(table, &model, KeyRole)->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setUpTable(table, table->fontMetrics().height() + 10);
    table->sortByColumn(sortColumn, Qt::AscendingOrder);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

QWidget* MemoryView::makeCards() {
    auto* page = new QWidget(m_tabs);
    m_cardsTable = addTable(m_cards, page, 0);
    m_filter->setObjectName(QStringLiteral("cardFilter"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, proxyOf(m_cardsTable), &QSortFilterProxyModel::setFilterFixedString);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addWidget(m_filter);
    layout->addWidget(m_cardsTable, 1);
    return page;
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
    for (RowsModel* model : {&m_parts, &m_types, &m_cards, &m_advice}) model->setRows({});
}

void MemoryView::refreshRunning(const Estimate& estimate) {
    std::vector<Row> parts;
    for (const Part& part : estimate.parts) parts.push_back(partRow(part));
    m_parts.setRows(std::move(parts));
    m_total->setText(tr("%1: %2 together, %3 parameters; %4")
                         .arg(text(estimate.name), bytesText(estimate.total()), shownShortCount(estimate.parameters),
                              trustText(estimate.trust)));
    m_bar->setParts(estimate.parts, m_session.rule().bytes);
    showNotes(estimate.notModelled, estimate.problems);
}

void MemoryView::refreshTraining(const TrainingEstimate& estimate) {
    std::vector<Part> all = estimate.gpuParts;
    all.insert(all.end(), estimate.hostParts.begin(), estimate.hostParts.end());
    std::vector<Row> parts;
    for (const Part& part : all) parts.push_back(partRow(part));
    m_parts.setRows(std::move(parts));
    const QString trained = shownShortCount(estimate.trainable);
    m_total->setText(tr("%1, %2: %3 on each of %n GPU(s), %4 of %5 parameters trained; %6", nullptr,
                        static_cast<int>(std::min<std::uint64_t>(estimate.settings.gpus, 1'000'000)))
                         .arg(text(estimate.name), methodTitle(estimate.settings.method), bytesText(estimate.gpu()), trained,
                              shownShortCount(estimate.parameters), trustText(estimate.trust)));
    m_bar->setParts(all, m_session.rule().bytes);
    showNotes(estimate.notModelled, estimate.problems);
}

void MemoryView::showNotes(const std::vector<Phrase>& gaps, const std::vector<Problem>& problems) {
    QStringList notes;
    for (const Phrase& gap : gaps) notes << tr("Not counted: %1").arg(shown(gap));
    for (const Problem& problem : problems) notes << translated(asError(ErrorCode::Invalid, problem));
    m_notes->setText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
}

void MemoryView::showTables() {
    std::vector<Row> types, cards, advice;
    int position = 0;
    for (const TypeRow& type : m_session.types()) types.push_back(typeRow(type, position++));
    for (const Fit& fit : m_session.fits()) cards.push_back(cardRow(fit, position++));
    for (const Advice& one : m_session.advice()) advice.push_back(adviceRow(one, position++));
    m_types.setRows(std::move(types));
    m_cards.setRows(std::move(cards));
    m_advice.setRows(std::move(advice));
    m_tabs->setTabVisible(m_tabs->indexOf(m_typesTable), m_session.estimate() != nullptr);
    for (QTableView* table : {m_partsTable, m_typesTable, m_cardsTable, m_adviceTable}) table->resizeColumnsToContents();
}

void MemoryView::retranslate() {
    m_parts.setTitles({tr("Part"), tr("Where"), tr("Memory"), tr("Formula")});
    m_types.setTitles({tr("Type"), tr("Bits a weight"), tr("File"), tr("Weights"), tr("Together"), tr("This machine")});
    m_cards.setTitles({tr("Device"), tr("Memory for programs"), tr("Need"), tr("Longest context that fits"), tr("Verdict")});
    m_advice.setTitles({tr("Change"), tr("Saves"), tr("Cost")});
    m_tabs->setTabText(0, tr("Parts"));
    m_tabs->setTabText(1, tr("Types"));
    m_tabs->setTabText(2, tr("Devices"));
    m_tabs->setTabText(3, tr("What needs less"));
    m_partsTable->setAccessibleName(tr("Parts of the memory with their formulas"));
    m_typesTable->setAccessibleName(tr("Types that the weights can have"));
    m_cardsTable->setAccessibleName(tr("Devices and whether they hold the model"));
    m_adviceTable->setAccessibleName(tr("Changes that need less memory, the cheapest first"));
    m_filter->setPlaceholderText(tr("Filter devices"));
    m_filter->setAccessibleName(tr("Filter devices"));
    refresh();
}

} // namespace wb::ui::memory
