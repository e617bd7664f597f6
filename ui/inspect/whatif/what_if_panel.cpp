// SPDX-License-Identifier: MIT
#include "ui/inspect/whatif/what_if_panel.h"

#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/whatif/error_map_view.h"
#include "ui/inspect/whatif/levels_view.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/plain_text.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace wb::ui::inspect {
namespace {

constexpr quint64 superBlock = 256; // elements of a block of the K types

constexpr std::uint64_t previewStep = 16;
constexpr std::uint64_t smallTensor = 1 << 18; // elements; all rows of it are measured in no time

Cell numberCell(const QString& shown, const QString& exact) {
    Cell cell;
    cell.shown = shown;
    cell.exact = exact;
    cell.number = true;
    return cell;
}

} // namespace

WhatIfPanel::WhatIfPanel(const Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_model(new TypeTableModel(this)), m_trial(services.jobs),
      m_matrixJob(services.jobs), m_blockJob(services.jobs) {
    auto* columns = new QSplitter(Qt::Horizontal, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(makeHead());
    columns->addWidget(makeTable());
    columns->addWidget(makeDetail());
    columns->setSizes({560, 320});
    columns->setStretchFactor(0, 1);
    columns->setChildrenCollapsible(false);
    layout->addWidget(columns, 1);
    refresh();
}

QWidget* WhatIfPanel::makeHead() {
    auto* head = new QWidget(this);
    m_hint = makeMutedLabel(head);
    m_hint->setObjectName(QStringLiteral("whatIfHint"));
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(false);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long remarks are cut, and whole in the tool tip
    m_chooseMatrix = new QPushButton(head);
    m_chooseMatrix->setObjectName(QStringLiteral("chooseMatrix"));
    m_chooseMatrix->setToolTip(tr("Importance of each input column, measured by llama-imatrix; required for low-bit types"));
    connect(m_chooseMatrix, &QPushButton::clicked, this, &WhatIfPanel::askForMatrix);
    m_noMatrix = new QToolButton(head);
    m_noMatrix->setObjectName(QStringLiteral("noMatrix"));
    m_noMatrix->setIcon(icon(QStringLiteral("close")));
    m_noMatrix->setAccessibleName(tr("Clear importance matrix"));
    m_noMatrix->setToolTip(m_noMatrix->accessibleName());
    connect(m_noMatrix, &QToolButton::clicked, this, [this] { setMatrix({}); });
    m_all = new QPushButton(head);
    m_all->setObjectName(QStringLiteral("allRows"));
    m_all->setToolTip(tr("For large tensors the table first samples some rows; this measures all of them."));
    connect(m_all, &QPushButton::clicked, this, &WhatIfPanel::measureAllRows);
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    for (QWidget* button : {static_cast<QWidget*>(m_chooseMatrix), static_cast<QWidget*>(m_noMatrix), static_cast<QWidget*>(m_all)})
        layout->addWidget(button);
    return head;
}

WhatIfPanel::~WhatIfPanel() { stop(); }

QWidget* WhatIfPanel::makeTable() {
    using Table = TypeTableModel;
    m_table = new TypeTableView(
        m_model,
        {Table::Type, Table::Bits, Table::Size, Table::Error, Table::Snr, Table::Rmse, Table::MaxError, Table::Cosine, Table::Rows},
        Table::Bits, Qt::AscendingOrder, this);
    m_table->setObjectName(QStringLiteral("whatIf"));
    m_table->setAccessibleName(tr("Tensor quantized to other types"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &WhatIfPanel::showChosen);
    return m_table;
}

QWidget* WhatIfPanel::makeDetail() {
    auto* detail = new QWidget(this);
    m_mapTitle = makeMutedLabel(detail);
    m_detail = makeTabs(QStringLiteral("whatIfDetail"), detail);
    m_map = new ErrorMapView(m_detail);
    connect(m_map, &ErrorMapView::blockChosen, this, [this](quint64 row, quint64 column) { chooseBlock({row, column}); });
    m_levels = new LevelsView(m_document, m_services, m_detail);
    connect(m_levels, &LevelsView::typicalWanted, this, &WhatIfPanel::showTypicalBlock);
    m_detail->addTab(m_map, tr("Error map"));
    m_detail->addTab(m_levels, tr("Levels"));
    m_detail->addTab(makeWorstBlocks(), tr("Worst blocks"));
    auto* layout = new QVBoxLayout(detail);
    layout->setContentsMargins(8, 0, 0, 0); // off the splitter
    layout->setSpacing(4);
    layout->addWidget(m_mapTitle);
    layout->addWidget(m_detail, 1);
    return detail;
}

QWidget* WhatIfPanel::makeWorstBlocks() {
    m_worst = new CellTableView(tr("Blocks with the largest error"), m_detail);
    m_worst->setObjectName(QStringLiteral("worstBlocks"));
    m_worst->setStretchedColumn(2);
    m_worst->setSelectionBehavior(QAbstractItemView::SelectRows);
    auto* show = new QAction(icon(QStringLiteral("chart")), tr("Show levels of this block"), m_worst);
    show->setShortcuts({Qt::Key_Return, Qt::Key_Enter});
    show->setShortcutContext(Qt::WidgetShortcut);
    connect(show, &QAction::triggered, this, [this] { chooseWorstBlock(m_worst->currentIndex().row()); });
    m_worst->addAction(show);
    connect(m_worst, &QTableView::clicked, this, [this](const QModelIndex& cell) {
        if (QGuiApplication::keyboardModifiers() == Qt::NoModifier)
            chooseWorstBlock(cell.row()); // with a modifier rows are selected
    });
    return m_worst;
}

void WhatIfPanel::askForMatrix() {
    const QString folder = m_matrixPath.isEmpty() ? qtPath(m_document.contents().model->folder) : m_matrixPath;
    const QString path = askFrom(this, [&folder](QWidget* window) {
        return QFileDialog::getOpenFileName(window, tr("Choose an importance matrix"), folder);
    });
    if (!path.isEmpty()) setMatrix(path);
}

void WhatIfPanel::setMatrix(const QString& path) {
    m_matrixPath = path;
    m_matrixFailure.clear();
    m_matrix.reset();
    m_matrixJob.cancel();
    if (path.isEmpty()) return restartIfSeen();
    stop();
    m_matrixJob.start<quant::MatrixPtr>(
        tr("Loading importance matrix"),
        [file = fsPath(path)](const Progress& progress) -> Result<quant::MatrixPtr> {
            WB_TRY_ASSIGN(auto matrix, quant::readImatrix(file, progress));
            return std::make_shared<const quant::Imatrix>(std::move(matrix));
        },
        [this](const quant::MatrixPtr& matrix) {
            m_matrix = matrix;
            restartIfSeen();
        },
        [this](const Error& error) {
            m_matrixFailure = translated(error);
            restartIfSeen();
        });
    refresh();
}

void WhatIfPanel::restartIfSeen() {
    if (isVisible()) return restart();
    m_begun.reset();
}

bool WhatIfPanel::hasWeights() const {
    return m_tensor && !quant::weightsFor(m_matrix.get(), m_document.contents().tensor(*m_tensor)).empty();
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
    m_device.clear();
    m_remark.clear();
    m_engine = std::make_shared<quant::TrialEngine>(m_services.quantizer);
    m_rowStep = m_tensor && m_document.contents().tensor(*m_tensor).shape.elements() > smallTensor ? previewStep : 1;
    m_isComplete = false;
    showTypicalBlock();
    std::vector<Dtype> types;
    if (m_tensor) {
        const TensorInfo& tensor = m_document.contents().tensor(*m_tensor);
        const DtypeKind kind = wb::info(tensor.dtype).kind;
        const bool isWeight = kind == DtypeKind::Float || kind == DtypeKind::Block;
        if (tensor.source.unavailableWhy().empty() && tensor.shape.rank() > 0 && isWeight)
            types = quant::possibleTypes(tensor.shape, hasWeights());
        m_types = TensorTypes(types, tensor.dtype, tensor.shape);
    } else {
        m_types = {};
    }
    m_model->setRows(m_types.rows());
    m_levels->setTensor(m_tensor);
    m_table->setShown(TypeTableModel::Weighted, hasWeights());
    m_waiting.assign(types.rbegin(), types.rend());
    measureNext();
    const auto usual = std::ranges::find(types, Dtype::Q4_K);
    if (!types.empty()) m_table->selectTypeRow(static_cast<int>(usual == types.end() ? 0 : usual - types.begin()));
    showChosen();
}

void WhatIfPanel::measureAllRows() {
    if (isMeasuring()) return stop();
    m_rowStep = 1;
    m_isComplete = false;
    m_engine = std::make_shared<quant::TrialEngine>(m_services.quantizer);
    m_waiting.clear();
    for (int row = m_types.count(); row-- > 0;) m_waiting.push_back(m_types.type(row));
    measureNext();
}

void WhatIfPanel::stop() {
    m_waiting.clear();
    m_trial.cancel();
    refresh();
}

// One type after the other, so that the table fills while one looks at it.
void WhatIfPanel::measureNext() {
    m_isComplete = m_waiting.empty();
    if (m_isComplete) {
        m_types.giveUp();
        m_model->setRows(m_types.rows());
    }
    if (m_isComplete || !m_tensor) return refresh();
    const Dtype type = m_waiting.back();
    m_waiting.pop_back();
    m_trial.start<quant::TrialResult>(
        tr("Measuring types"), [trial = typeTrial(type)](const Progress& progress) { return quant::tryType(trial, progress); },
        [this](const quant::TrialResult& result) {
            showResult(result);
            if (result.found.type == chosenType()) showChosen();
            measureNext();
        },
        [this](const Error& error) {
            m_failure = translated(error);
            showChosen();
            measureNext();
        });
    refresh();
}

void WhatIfPanel::showResult(const quant::TrialResult& result) {
    m_types.add(result.found);
    m_model->setRows(m_types.rows());
    m_measuredRows = result.found.elements / std::max<std::uint64_t>(1, m_document.contents().tensor(*m_tensor).shape.rowLength());
    m_device = QString::fromStdString(result.found.device);
    m_remark.clear();
    if (!result.remarks.empty()) m_remark = translated(asError(ErrorCode::DeviceLost, result.remarks[0]));
}

TableContent WhatIfPanel::worstTable(const quant::WhatIf& result) const {
    TableContent table{{tr("Row"), tr("Column"), tr("Squared error")}, {}};
    for (const quant::WorstBlock& block : result.worst)
        table.rows.push_back({numberCell(shownCount(block.row), QString::number(block.row)),
                              numberCell(shownCount(block.column), QString::number(block.column)),
                              numberCell(shownNumber(block.squaredError), exactNumber(block.squaredError))});
    return table;
}

Dtype WhatIfPanel::chosenType() const {
    const int row = m_table->currentRow();
    return row < 0 ? Dtype::Unknown : m_types.type(row);
}

const quant::WhatIf* WhatIfPanel::chosenResult() const { return m_types.result(m_table->currentRow()); }

void WhatIfPanel::showChosen() {
    const quant::WhatIf* result = chosenResult();
    m_map->setMap(result ? result->map : quant::ErrorMap{}, m_begun ? m_document.contents().tensor(*m_begun).shape : Shape{});
    m_worst->setTable(result ? worstTable(*result) : TableContent{});
    m_levels->setLevels(result ? result->type : Dtype::Unknown, result ? result->levels : std::vector<double>());
    m_mapTitle->setText(mapTitle(result));
    showBlock();
}

QString WhatIfPanel::mapTitle(const quant::WhatIf* result) const {
    if (!result) return m_failure.isEmpty() ? tr("Select a type to see its error.") : QString();
    const QString type = QString::fromLatin1(name(result->type));
    return result->squaredError == 0 ? tr("%1 is lossless on the measured rows.").arg(type)
                                     : tr("Error of %1; select a cell or block to see its levels").arg(type);
}

void WhatIfPanel::chooseBlock(const quant::BlockPlace& place) {
    m_block = place;
    m_blockType = Dtype::Unknown;
    showBlock();
    m_detail->setCurrentWidget(m_levels);
    m_detail->tabBar()->setFocus(); // an arrow key leads back to the list
}

void WhatIfPanel::chooseWorstBlock(int rank) {
    const quant::WhatIf* result = chosenResult();
    if (!result || rank < 0 || rank >= static_cast<int>(result->worst.size())) return;
    const quant::WorstBlock& block = result->worst[static_cast<std::size_t>(rank)];
    chooseBlock({block.row, block.column});
}

void WhatIfPanel::showTypicalBlock() {
    m_block.reset();
    m_blockType = Dtype::Unknown;
    m_blockJob.cancel();
    m_levels->setBlock({});
}

// The chosen block as the chosen type, unless that is on its way already.
void WhatIfPanel::showBlock() {
    const Dtype type = chosenType();
    if (!m_block || !m_tensor || m_tensor != m_begun || type == Dtype::Unknown || type == m_blockType) return;
    m_blockType = type;
    m_blockJob.start<quant::BlockLevels>(
        tr("Quantizing one block"),
        [trial = typeTrial(type), place = *m_block](const Progress&) { return quant::tryBlock(trial, place); },
        [this](const quant::BlockLevels& levels) { m_levels->setBlock(levels); },
        [this](const Error& error) {
            m_failure = translated(error);
            refresh();
        });
}

quant::Trial WhatIfPanel::typeTrial(Dtype type) const {
    return {m_document.contents().model, *m_tensor, type, m_rowStep, m_matrix, m_engine, m_services.settings->threads()};
}

QString WhatIfPanel::progressText() const {
    if (m_matrixJob.isRunning()) return tr("Loading importance matrix…");
    if (!m_tensor) return tr("Select a tensor to compare quantization types.");
    if (m_types.count() == 0) return tr("This tensor cannot be converted to another type.");
    if (!m_failure.isEmpty()) return m_failure;
    if (isMeasuring()) return m_rowStep > 1 ? tr("Quantizing sample rows in memory…") : tr("Quantizing every row in memory…");
    if (!m_isComplete) return tr("Stopped before all types were measured");
    return measuredAll() ? tr("All rows") : tr("%L1 of %L2 rows").arg(m_measuredRows).arg(rowCount());
}

quint64 WhatIfPanel::rowCount() const { return m_tensor ? m_document.contents().tensor(*m_tensor).shape.rows() : 0; }

bool WhatIfPanel::measuredAll() const { return m_isComplete && m_measuredRows >= rowCount(); }

// By whom and with which importance the numbers came about.
QString WhatIfPanel::sourceText() const {
    QStringList parts{progressText()};
    if (!m_device.isEmpty())
        parts << (m_device == QLatin1String("cpu") ? tr("quantized by the CPU") : tr("quantized by the device %1").arg(m_device));
    if (!m_remark.isEmpty()) parts << m_remark;
    if (m_tensor) {
        const quint64 length = m_document.contents().tensor(*m_tensor).shape.rowLength();
        if (length % superBlock != 0 && m_types.count() > 0)
            parts << tr("Q2_K to Q6_K and most IQ types are not listed: rows of %2 are not divisible by their block size of %1")
                         .arg(superBlock)
                         .arg(length);
    }
    if (!m_matrixFailure.isEmpty()) parts << m_matrixFailure;
    else if (m_matrix && m_tensor && !hasWeights()) parts << tr("the importance matrix has no data for this tensor");
    return parts.join(QStringLiteral(" · "));
}

void WhatIfPanel::refresh() {
    m_all->setText(isMeasuring() ? tr("Stop") : tr("Measure all rows"));
    m_all->setEnabled(isMeasuring() || (m_types.count() > 0 && !measuredAll()));
    m_chooseMatrix->setText(m_matrixPath.isEmpty() ? tr("Importance matrix…") : QFileInfo(m_matrixPath).fileName());
    m_noMatrix->setVisible(!m_matrixPath.isEmpty());
    m_hint->setText(sourceText());
    m_hint->setToolTip(plainText(sourceText()));
}

} // namespace wb::ui::inspect
