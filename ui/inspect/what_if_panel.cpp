// SPDX-License-Identifier: MIT
#include "ui/inspect/what_if_panel.h"

#include "core/quant/quantize.h"
#include "ui/inspect/cell_delegate.h"
#include "ui/inspect/cell_table_view.h"
#include "ui/inspect/copy.h"
#include "ui/inspect/error_map_view.h"
#include "ui/inspect/numbers.h"
#include "ui/inspect/what_if_model.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr std::uint64_t previewStep = 16;
constexpr std::uint64_t previewElements = 4 << 20;
constexpr std::size_t mapSide = 48;
constexpr std::size_t shownBlocks = 100;
constexpr int narrowest = 92; // a column of numbers

Cell numberCell(const QString& shown, const QString& exact) {
    Cell cell;
    cell.shown = shown;
    cell.exact = exact;
    cell.number = true;
    return cell;
}

} // namespace

WhatIfPanel::WhatIfPanel(const Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_model(new WhatIfModel(this)), m_hint(makeMutedLabel(this)),
      m_all(new QPushButton(this)) {
    m_hint->setObjectName(QStringLiteral("whatIfHint"));
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(false);
    m_all->setObjectName(QStringLiteral("allRows"));
    m_all->setToolTip(tr("The table begins with a sixteenth of the rows; this measures every one."));
    connect(m_all, &QPushButton::clicked, this, &WhatIfPanel::measureAllRows);
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->addWidget(makeTable());
    columns->addWidget(makeDetail());
    columns->setSizes({700, 240});
    columns->setStretchFactor(0, 1);
    columns->setChildrenCollapsible(false);
    auto* head = new QHBoxLayout;
    head->addWidget(m_hint, 1);
    head->addWidget(m_all);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(columns, 1);
    refresh();
}

WhatIfPanel::~WhatIfPanel() { stop(); }

QWidget* WhatIfPanel::makeTable() {
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("whatIf"));
    m_table->setAccessibleName(tr("The tensor as other types"));
    auto* proxy = new QSortFilterProxyModel(m_table);
    proxy->setSourceModel(m_model);
    proxy->setSortRole(WhatIfModel::SortRole);
    m_table->setModel(proxy);
    m_table->setItemDelegate(new CellDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(WhatIfModel::Type, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(CellDelegate::rowHeight(m_table));
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    for (int column = 0; column < WhatIfModel::columns; ++column)
        m_table->setColumnWidth(column, std::max(narrowest, m_table->fontMetrics().horizontalAdvance(
                                                                m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) +
                                                                36));
    m_table->horizontalHeader()->setStretchLastSection(true);
    addCopyAction(m_table);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &WhatIfPanel::showChosen);
    return m_table;
}

QWidget* WhatIfPanel::makeDetail() {
    auto* detail = new QWidget(this);
    m_mapTitle = makeMutedLabel(detail);
    m_map = new ErrorMapView(detail);
    m_worst = new CellTableView(tr("Blocks with the largest error"), detail);
    m_worst->setObjectName(QStringLiteral("worstBlocks"));
    m_worst->setStretchedColumn(2);
    auto* layout = new QVBoxLayout(detail);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_mapTitle);
    layout->addWidget(m_map, 1);
    layout->addWidget(m_worst, 1);
    return detail;
}

void WhatIfPanel::setTensor(std::optional<std::uint32_t> tensor) {
    if (tensor == m_tensor) return;
    stop();
    m_tensor = tensor;
    if (isVisible()) restart();
}

void WhatIfPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_tensor != m_begun) restart();
}

void WhatIfPanel::restart() {
    stop();
    m_begun = m_tensor;
    m_failure.clear();
    m_rowStep = previewStep;
    std::vector<Dtype> types;
    if (m_tensor) {
        const TensorInfo& tensor = m_document.contents().tensor(*m_tensor);
        if (tensor.unavailable.empty() && tensor.shape.rank() > 0) types = quant::possibleTypes(tensor.shape, false);
        m_model->setTypes(types, tensor.dtype, tensor.shape.rows(), tensor.shape.rowLength());
    } else {
        m_model->setTypes({}, Dtype::Unknown, 0, 1);
    }
    m_waiting.assign(types.rbegin(), types.rend());
    measureNext();
    const auto usual = std::ranges::find(types, Dtype::Q4_K);
    if (!types.empty()) m_table->selectRow(rowOf(static_cast<int>(usual == types.end() ? 0 : usual - types.begin())));
    showChosen();
}

int WhatIfPanel::rowOf(int type) const {
    return static_cast<QSortFilterProxyModel*>(m_table->model())->mapFromSource(m_model->index(type, 0)).row();
}

void WhatIfPanel::measureAllRows() {
    if (m_job) return stop();
    m_rowStep = 1;
    m_waiting.clear();
    for (int row = m_model->rowCount(); row-- > 0;) m_waiting.push_back(m_model->typeAt(row));
    measureNext();
}

void WhatIfPanel::stop() {
    ++m_serial;
    m_waiting.clear();
    if (m_job) m_job->cancel();
    m_job.reset();
    refresh();
}

// One type after the other, so that the table fills while one looks at it.
void WhatIfPanel::measureNext() {
    m_job.reset();
    if (m_waiting.empty() || !m_tensor) return refresh();
    const Dtype type = m_waiting.back();
    m_waiting.pop_back();
    const auto found = std::make_shared<quant::WhatIf>();
    const auto work = [found, type, model = m_document.contents().model, tensor = *m_tensor, step = m_rowStep,
                       threads = m_services.threads](const Progress& progress) -> Result<void> {
        WB_TRY_ASSIGN(const TensorReader reader, TensorReader::open(*model, model->tensors[tensor]));
        quant::WhatIfOptions options;
        options.rowStep = step;
        options.mostElements = step > 1 ? previewElements : 0;
        options.threads = threads;
        options.worstBlocks = shownBlocks;
        // Every row of cells must hold a row that is looked at.
        const std::uint64_t looked = reader.shape().rows() / step;
        const std::uint64_t most = step > 1 ? previewElements / std::max<std::uint64_t>(1, reader.shape().rowLength()) : mapSide;
        options.mapRows = std::clamp<std::uint64_t>(std::min(looked, most), 1, mapSide);
        options.mapColumns = std::min<std::uint64_t>(mapSide, reader.shape().rowLength());
        WB_TRY_ASSIGN(*found, quant::measure(reader, type, {}, options, progress));
        return {};
    };
    const auto done = [this, found, serial = m_serial](const Result<void>& result) {
        if (serial != m_serial) return;
        if (result) m_model->setResult(*found);
        else m_failure = translated(result.error());
        showChosen();
        measureNext();
    };
    m_job = m_services.jobs->start(tr("Trying types"), this, work, done, false);
    refresh();
}

TableContent WhatIfPanel::worstTable(const quant::WhatIf& result) const {
    TableContent table{{tr("Row"), tr("Column"), tr("Squared error")}, {}};
    for (const quant::WorstBlock& block : result.worst)
        table.rows.push_back({numberCell(shownCount(block.row), QString::number(block.row)),
                              numberCell(shownCount(block.column), QString::number(block.column)),
                              numberCell(shownNumber(block.squaredError), exactNumber(block.squaredError))});
    return table;
}

void WhatIfPanel::showChosen() {
    const QModelIndex current = static_cast<QSortFilterProxyModel*>(m_table->model())->mapToSource(m_table->currentIndex());
    const quant::WhatIf* result = current.isValid() ? m_model->resultAt(current.row()) : nullptr;
    m_map->setMap(result ? result->map : quant::ErrorMap{});
    m_worst->setTable(result ? worstTable(*result) : TableContent{});
    m_mapTitle->setText(result ? tr("Where %1 errs, and its worst blocks").arg(QString::fromLatin1(name(result->type)))
                               : tr("Choose a type to see where it errs."));
}

void WhatIfPanel::refresh() {
    m_all->setText(m_job ? tr("Stop") : tr("Measure every row"));
    m_all->setEnabled(m_job || m_model->rowCount() > 0);
    if (!m_tensor) m_hint->setText(tr("Choose a tensor to see what other types would cost."));
    else if (m_model->rowCount() == 0) m_hint->setText(tr("This tensor cannot become another type."));
    else if (!m_failure.isEmpty()) m_hint->setText(m_failure);
    else if (m_job) m_hint->setText(m_rowStep > 1 ? tr("Quantizing a sixteenth of the rows in memory…") : tr("Quantizing every row in memory…"));
    else m_hint->setText(m_rowStep > 1 ? tr("From a sixteenth of the rows") : tr("From all rows"));
}

} // namespace wb::ui::inspect
