// SPDX-License-Identifier: MIT
#include "ui/memory/devices_page.h"

#include "ui/memory/fields.h"
#include "ui/memory/phrases.h"
#include "ui/widgets/card.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/sentence.h"
#include "ui/widgets/translate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

constexpr int cardRows = 4, choiceRows = 5; // that stay visible where the window is low; the first table takes the rest

Cell bandwidthCell(std::uint64_t bandwidth) {
    if (bandwidth == 0) return {QStringLiteral("–"), 0, {}, true};
    return {DevicesPage::tr("%1 GB/s").arg(shownCount(bandwidth)), static_cast<qulonglong>(bandwidth), {}, true};
}

CellRow cardRow(const Fit& fit, int position) {
    return {{memoryName(fit.memory), position},
            {verdictText(fit.verdict), static_cast<int>(fit.verdict)},
            memoryCell(fit.need),
            memoryCell(fit.memory.bytes),
            memoryCell(fit.memory.available()),
            memoryCell(fit.memory.availableWhenIdle()),
            numberCell(fit.longestContext),
            bandwidthCell(fit.memory.bandwidth),
            {fit.memory.source.empty() ? DevicesPage::tr("this computer") : text(fit.memory.source)}};
}

CellRow choiceRow(const CardChoice& choice, int position) {
    const QString name = text(choice.card->vendor + " " + choice.card->title());
    return {{QStringLiteral("%1 × %2").arg(choice.count).arg(name), position},
            memoryCell(choice.need),
            numberCell(choice.tokensPerSecond)};
}

QTableView* makeTable(RowsModel& model, QWidget* parent) {
    auto* table = new QTableView(parent);
    showSorted(table, &model, KeyRole)->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setUpTable(table, table->fontMetrics().height() + 10);
    table->sortByColumn(0, Qt::AscendingOrder);
    table->horizontalHeader()->setStretchLastSection(true);
    return table;
}

// "24 GiB of 24 GiB in RTX 4090; …"
QString sharesText(const Placement& placement) {
    QStringList shares;
    const auto add = [&](const Fit& fit) {
        shares << DevicesPage::tr("%1: %2 of %3, %4")
                      .arg(memoryName(fit.memory), bytesText(fit.need), bytesText(fit.memory.available()),
                           verdictText(fit.verdict));
    };
    for (const Fit& fit : placement.devices) add(fit);
    if (placement.main) add(*placement.main);
    return shares.join(u'\n');
}

QString placementText(const Placement& placement) {
    const Settings& settings = placement.settings;
    QStringList parts;
    if (!settings.usesGpu()) parts << DevicesPage::tr("No layer fits on the GPU; the CPU computes all layers.");
    else if (settings.gpuLayers == allLayers) parts << DevicesPage::tr("Best placement: all layers on the GPU.");
    else
        parts << DevicesPage::tr("Best placement: %n layer(s) on the GPU, the rest on the CPU.", nullptr,
                                 static_cast<int>(settings.gpuLayers));
    QStringList counts;
    for (const std::uint64_t layers : settings.split) counts << QString::number(layers);
    if (!counts.isEmpty()) parts << DevicesPage::tr("Layers per device: %1.").arg(counts.join(QStringLiteral(", ")));
    if (settings.cpuExperts > 0)
        parts << DevicesPage::tr("Experts of the first %n layer(s) stay in RAM.", nullptr, static_cast<int>(settings.cpuExperts));
    if (placement.tokensPerSecond)
        parts << DevicesPage::tr("At most %1 tokens/s (bandwidth limit).").arg(shownCount(*placement.tokensPerSecond));
    return joined(parts) + u'\n' + sharesText(placement);
}

} // namespace

DevicesPage::DevicesPage(MemorySession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_placement(makeMutedLabel(this)), m_chosen(makeMutedLabel(this)),
      m_choicesTitle(makeHeading(this)), m_usePlacement(new QPushButton(this)), m_useCards(new QPushButton(this)),
      m_useMachine(new QPushButton(this)), m_count(makeSpin(this, "cardCount", 1, 8, 1)), m_filter(new QLineEdit(this)),
      m_cardsTable(makeTable(m_cards, this)), m_choicesTable(makeTable(m_choices, this)) {
    m_placement->setObjectName(QStringLiteral("placement"));
    m_usePlacement->setObjectName(QStringLiteral("usePlacement"));
    m_useCards->setObjectName(QStringLiteral("useCards"));
    m_useMachine->setObjectName(QStringLiteral("useMachine"));
    m_filter->setObjectName(QStringLiteral("cardFilter"));
    m_filter->setClearButtonEnabled(true);
    m_cardsTable->setObjectName(QStringLiteral("cardsTable"));
    m_choicesTable->setObjectName(QStringLiteral("choicesTable"));
    m_cardsTable->setSelectionMode(QAbstractItemView::ExtendedSelection);
    connect(m_filter, &QLineEdit::textChanged, tableProxy(m_cardsTable), &QSortFilterProxyModel::setFilterFixedString);
    connect(m_usePlacement, &QPushButton::clicked, &m_session, &MemorySession::usePlacement);
    connect(m_useCards, &QPushButton::clicked, this, &DevicesPage::useChosen);
    connect(m_useMachine, &QPushButton::clicked, this, [this] { m_session.setCards({}); });
    auto* best = new QHBoxLayout;
    best->addWidget(m_placement, 1);
    best->addWidget(m_usePlacement, 0, Qt::AlignTop);
    // A small window shows a part of the page; labels keep their height, and tables some rows.
    auto* content = new QWidget(this);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 6, 0, 0);
    layout->addLayout(best);
    layout->addWidget(makeChosen());
    layout->addWidget(m_chosen);
    layout->addWidget(m_cardsTable, 1);
    layout->addWidget(m_choicesTitle);
    layout->addWidget(m_choicesTable);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->addWidget(scroll);
    m_cardsTable->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // its usual height would be part of the page's
    keepTranslated(this, [this] { retranslate(); });
}

QWidget* DevicesPage::makeChosen() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_filter, m_count, m_useCards, m_useMachine}) layout->addWidget(widget);
    layout->addStretch(1);
    return row;
}

// The chosen rows of the table, each as often as the number next to says.
void DevicesPage::useChosen() {
    std::vector<const wb::memory::Card*> cards;
    const QModelIndexList rows = m_cardsTable->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows)
        for (const wb::memory::Card& card : wb::memory::cards())
            if (text(card.vendor + " " + card.title()) == row.data().toString())
                cards.insert(cards.end(), static_cast<std::size_t>(m_count->value()), &card);
    if (!cards.empty()) m_session.setCards(cards);
}

void DevicesPage::refresh() {
    std::vector<CellRow> cards, choices;
    int position = 0;
    for (const Fit& fit : m_session.fits()) cards.push_back(cardRow(fit, position++));
    bool hasSpeed = false;
    for (const CardChoice& choice : m_session.cardChoices()) {
        choices.push_back(choiceRow(choice, position++));
        hasSpeed = hasSpeed || choice.tokensPerSecond.has_value();
    }
    m_cards.setRows(std::move(cards));
    m_choices.setRows(std::move(choices));
    m_choicesTable->setColumnHidden(2, !hasSpeed); // training has none
    for (QTableView* table : {m_cardsTable, m_choicesTable}) table->resizeColumnsToContents();
    showPlacement();
    m_choicesTitle->setVisible(m_choices.rowCount() > 0);
    m_choicesTable->setVisible(m_choices.rowCount() > 0);
}

void DevicesPage::showPlacement() {
    const auto placement = m_session.placement();
    m_placement->setText(placement ? placementText(*placement) : QString());
    m_placement->setVisible(placement.has_value());
    m_usePlacement->setVisible(placement.has_value());
    QStringList names;
    for (const wb::memory::Card* card : m_session.cards()) names << text(card->title());
    m_chosen->setText(names.join(QStringLiteral(" + ")));
    m_chosen->setVisible(!names.isEmpty());
    m_useMachine->setEnabled(!names.isEmpty());
}

void DevicesPage::retranslate() {
    m_cards.setTitles({tr("Device"), tr("Fits"), tr("Required"), tr("Memory"), tr("Free now"), tr("Free when idle"),
                       tr("Max context length"), tr("Bandwidth"), tr("Data source")});
    m_choices.setTitles({tr("GPUs"), tr("Required per GPU"), tr("Max tokens/s")});
    m_cardsTable->setMinimumHeight(rowsHeight(*m_cardsTable, cardRows));
    m_choicesTable->setFixedHeight(rowsHeight(*m_choicesTable, choiceRows));
    m_cardsTable->setAccessibleName(tr("Devices and whether the model fits"));
    m_choicesTable->setAccessibleName(tr("Smallest GPUs that fit the model"));
    m_choicesTitle->setText(tr("Smallest GPUs that fit the model (1, 2 or 4 of the same kind)"));
    m_filter->setPlaceholderText(tr("Filter devices"));
    m_filter->setAccessibleName(tr("Filter devices"));
    m_count->setAccessibleName(tr("Number of each selected GPU"));
    m_count->setSuffix(tr(" of each"));
    m_useCards->setText(tr("Use selected GPUs"));
    m_useCards->setToolTip(tr("Splits the layers across the GPUs selected in the table instead of this machine's devices"));
    m_useMachine->setText(tr("Use this machine"));
    m_usePlacement->setText(tr("Use this placement"));
    refresh();
}

} // namespace wb::ui::memory
