// SPDX-License-Identifier: MIT
#include "ui/inspect/map/heat_map_panel.h"

#include "core/model/output_check.h"
#include "ui/inspect/tables/cell_delegate.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/map/comparison_choice.h"
#include "ui/inspect/tables/copy.h"
#include "ui/inspect/tables/grid_table_model.h"
#include "ui/inspect/map/map_tables.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/document/problem_text.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"
#include "ui/widgets/tables/plain_table.h"
#include "ui/widgets/translated.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::ui::inspect {
namespace {

constexpr std::uint64_t maxCopied = 250'000; // cells
constexpr int valuesDelayMs = 120;           // the table need not follow every frame of a pan

double clipLimit(const stats::TensorMap& map) {
    if (map.levels.empty()) return 0;
    std::vector<float> cells = map.levels.front().absmax;
    std::erase_if(cells, [](float largest) { return std::isnan(largest); });
    if (cells.empty()) return 0;
    const auto nearlyLast = cells.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(cells.size() - 1) * 0.999);
    std::ranges::nth_element(cells, nearlyLast);
    return *nearlyLast;
}

// Where the clipped scale ends: nearly all elements are inside. Before the statistics are known, nearly all cells of the map do.
double clipLimit(const stats::TensorStats* stats, const stats::TensorMap* map) {
    if (!stats || !stats->percentiles) return map ? clipLimit(*map) : 0;
    return std::max(std::abs(stats::asDouble(stats->percentiles->front())), std::abs(stats::asDouble(stats->percentiles->back())));
}

} // namespace

HeatMapPanel::HeatMapPanel(const Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_build(services.jobs), m_near(services.jobs),
      m_look(services.jobs), m_top(services.jobs), m_compare(services.jobs), m_picture(new HeatMap(this)) {
    setObjectName(QStringLiteral("heatMapPanel"));
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addWidget(makeControls());
    layout->addWidget(halves, 1);
    halves->addWidget(m_picture);
    halves->addWidget(makeTables());
    halves->setStretchFactor(0, 1);
    halves->setSizes({600, 360});
    m_valuesDelay.setSingleShot(true);
    m_valuesDelay.setInterval(valuesDelayMs);
    connectAll();
    setTensor({});
}

QToolButton* HeatMapPanel::addTool(QWidget* row, const char* iconName, const QString& text) {
    auto* button = new QToolButton(row);
    button->setIcon(icon(QLatin1String(iconName)));
    button->setAccessibleName(text);
    button->setToolTip(text);
    row->layout()->addWidget(button);
    return button;
}

QWidget* HeatMapPanel::makeControls() {
    auto* controls = new QWidget(this);
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    m_statistic = new QComboBox(controls);
    m_statistic->setObjectName(QStringLiteral("mapStatistic"));
    nameBox(m_statistic, tr("Values shown as color"));
    m_statistic->addItem(tr("Max abs"), static_cast<int>(MapStatistic::Largest));
    m_statistic->addItem(tr("RMS"), static_cast<int>(MapStatistic::Rms));
    m_statistic->addItem(tr("Value"), static_cast<int>(MapStatistic::Value));
    m_scale = new QComboBox(controls);
    m_scale->setObjectName(QStringLiteral("mapScale"));
    nameBox(m_scale, tr("Color scale"));
    m_scale->addItem(tr("Linear"), static_cast<int>(ValueScale::Linear));
    m_scale->addItem(tr("Symmetric log"), static_cast<int>(ValueScale::SymmetricLog));
    m_scale->addItem(tr("Clip at 99.9%"), static_cast<int>(ValueScale::Clipped));
    // A few outliers would leave a linear picture black.
    m_scale->setCurrentIndex(m_scale->findData(static_cast<int>(ValueScale::Clipped)));
    m_sliceLabel = new QLabel(controls);
    m_slice = new QSpinBox(controls);
    m_slice->setObjectName(QStringLiteral("mapSlice"));
    m_slice->setAccessibleName(tr("Matrix to show"));
    m_slice->setKeyboardTracking(false);
    m_goTo = new QLineEdit(controls);
    m_goTo->setObjectName(QStringLiteral("mapGoTo"));
    m_goTo->setPlaceholderText(tr("Row, column"));
    m_goTo->setAccessibleName(tr("Go to element"));
    m_goTo->setToolTip(tr("Go to element: enter row and column, then press Enter."));
    m_goTo->setMinimumWidth(m_goTo->fontMetrics().horizontalAdvance(m_goTo->placeholderText()) + 26); // with its padding
    m_goTo->setMaximumWidth(120);
    m_other = new ComparisonChoice(m_services, controls);
    m_other->setObjectName(QStringLiteral("mapOther"));
    m_other->setAccessibleName(tr("Compare with"));
    m_other->setToolTip(tr("Show the difference from another tensor with the same shape."));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_statistic, m_scale, m_sliceLabel, m_slice, m_goTo, m_other})
        row->addWidget(widget);
    row->addStretch(1);
    connect(addTool(controls, "start", tr("Fit to view (Home)")), &QToolButton::clicked, m_picture, &HeatMap::fit);
    connect(addTool(controls, "copy", tr("Copy visible values as a table")), &QToolButton::clicked, this,
            &HeatMapPanel::copyNumbers);
    connect(addTool(controls, "export", tr("Save image…")), &QToolButton::clicked, this, &HeatMapPanel::savePicture);
    return controls;
}

QWidget* HeatMapPanel::makeTables() {
    m_tables = makeTabs(QStringLiteral("mapTables"), this);
    const auto add = [this](const char* name, const QString& accessible, const QString& title) {
        auto* table = new CellTableView(accessible, m_tables);
        table->setObjectName(QLatin1String(name));
        m_tables->addTab(table, title);
        return table;
    };
    m_block = add("mapBlock", tr("Block of the selected element"), tr("Block"));
    m_block->setEmptyText(tr("Point at an element to see its block."));
    m_topTable = add("mapTop", tr("Largest elements"), tr("Largest"));
    m_rows = add("mapRows", tr("Rows by max absolute value"), tr("Rows"));
    m_columns = add("mapColumns", tr("Columns by max absolute value"), tr("Columns"));
    m_values = new QTableView(m_tables);
    m_grid = new GridTableModel(m_values);
    m_values->setModel(m_grid);
    m_values->setObjectName(QStringLiteral("mapValues"));
    m_values->setAccessibleName(tr("Visible values"));
    setUpTable(m_values, CellDelegate::rowHeight(m_values));
    m_values->setItemDelegate(new CellDelegate(m_values));
    m_values->verticalHeader()->show();
    m_values->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_values->horizontalHeader()->setDefaultSectionSize(m_values->fontMetrics().horizontalAdvance(QStringLiteral("-0.000123456")) +
                                                        2 * CellDelegate::padding + 2);
    addCopyAction(m_values);
    m_tables->addTab(m_values, tr("Visible"));
    m_difference = add("mapDifference", tr("Errors relative to the other tensor"), tr("Errors"));
    return m_tables;
}

void HeatMapPanel::connectAll() {
    connect(m_picture, &HeatMap::detailWanted, this, &HeatMapPanel::requestDetail);
    connect(m_picture, &HeatMap::placeChanged, this, &HeatMapPanel::requestNote);
    connect(m_picture, &HeatMap::viewChanged, this, [this] {
        if (!m_valuesDelay.isActive()) m_valuesDelay.start();
    });
    connect(m_picture, &HeatMap::availabilityChanged, this, [this] {
        if (!m_picture->isAvailable()) m_tables->setCurrentWidget(m_values); // the numbers are in for the picture
    });
    connect(&m_valuesDelay, &QTimer::timeout, this, &HeatMapPanel::updateValues);
    connect(m_tables, &QTabWidget::currentChanged, this, &HeatMapPanel::updateValues);
    connect(m_statistic, &QComboBox::currentIndexChanged, this, &HeatMapPanel::updateScale);
    connect(m_scale, &QComboBox::currentIndexChanged, this, &HeatMapPanel::updateScale);
    connect(m_slice, &QSpinBox::valueChanged, this, [this](int slice) { setSlice(static_cast<std::uint64_t>(slice)); });
    connect(m_goTo, &QLineEdit::returnPressed, this, [this] {
        if (!goTo(m_goTo->text())) emit message(tr("This tensor has no element %1.").arg(m_goTo->text()), true);
    });
    connect(m_other, &ComparisonChoice::otherChosen, this, &HeatMapPanel::compare);
    connect(m_other, &ComparisonChoice::failed, this, [this](const QString& sentence) { emit message(sentence, true); });
    connect(&m_document, &Document::statisticsChanged, this, &HeatMapPanel::updateScale);
    connect(&m_document, &Document::statisticsChanged, this, &HeatMapPanel::updateLargest);
    const auto jumps = [this](CellTableView* table, auto place) {
        connect(table, &QAbstractItemView::activated, this,
                [table, place](const QModelIndex& index) { place(table->cells()->cell(index.row(), 0).exact.toULongLong()); });
    };
    jumps(m_rows, [this](quint64 row) { m_picture->goTo(row, m_picture->viewport().visible().column); });
    jumps(m_columns, [this](quint64 column) { m_picture->goTo(m_picture->viewport().visible().row, column); });
    jumps(m_block, [this](quint64 element) { goToElement(element); });
    connect(m_topTable, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { goToElement(m_largest[static_cast<std::size_t>(index.row())].index); });
}

void HeatMapPanel::setTensor(std::optional<std::uint32_t> tensor) {
    if (tensor && m_subject && m_subject->tensor == *tensor) return;
    for (LatestJob* job : {&m_build, &m_near, &m_look, &m_top, &m_compare}) job->cancel();
    m_subject.reset();
    m_map.reset();
    m_limit.reset();
    m_detail = {};
    m_largest.clear();
    for (CellTableView* table : {m_block, m_topTable, m_rows, m_columns, m_difference}) table->setTable({});
    m_other->setSubject(m_document.contents().model, tensor);
    if (tensor) m_subject = stats::MapSubject{m_document.contents().model, *tensor, m_other->chosen(), 0, m_document.pass(*tensor)};
    const std::uint64_t slices = tensor ? stats::sliceCount(m_subject->info().shape) : 1;
    {
        const QSignalBlocker blocker(m_slice);
        m_slice->setRange(0, static_cast<int>(std::min<std::uint64_t>(slices - 1, std::numeric_limits<int>::max())));
        m_slice->setValue(0);
    }
    m_slice->setVisible(slices > 1);
    m_sliceLabel->setVisible(slices > 1);
    m_sliceLabel->setText(tr("Matrix (of %1)").arg(slices));
    m_picture->setMap(nullptr, tensor ? tr("Reading every element…") : tr("Select a tensor to see its heat map."));
    updateScale();
    m_isStale = tensor.has_value();
    if (isVisible()) request();
}

void HeatMapPanel::setSlice(std::uint64_t slice) {
    if (!m_subject || m_subject->slice == slice || slice >= stats::sliceCount(m_subject->info().shape)) return;
    m_subject->slice = slice;
    const QSignalBlocker blocker(m_slice);
    m_slice->setValue(static_cast<int>(slice));
    m_isStale = true;
    request();
}

void HeatMapPanel::compareWith(const std::optional<stats::OtherTensor>& other) {
    if (!m_subject || m_subject->minus == other) return;
    m_other->choose(other);
    compare();
}

void HeatMapPanel::compare() {
    m_subject->minus = m_other->chosen();
    m_statistic->setCurrentIndex(
        m_statistic->findData(static_cast<int>(m_subject->minus ? MapStatistic::Value : MapStatistic::Largest)));
    m_isStale = true;
    request();
}

void HeatMapPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_other->refresh();
    if (m_isStale) request();
}

void HeatMapPanel::request() {
    if (!m_subject || !m_services.maps) return;
    m_isStale = false;
    m_awaitsMap = true;
    m_near.cancel();
    m_top.cancel();
    m_detail = {};
    const stats::MapSubject subject = *m_subject;
    m_build.start<stats::MapPtr>(
        tr("Heat map of a tensor"),
        [backend = m_services.maps, subject](const Progress& progress) { return stats::buildMap(*backend, subject, progress); },
        [this](const stats::MapPtr& map) { showMap(map); },
        [this](const Error& error) { m_picture->setMap(nullptr, translated(error)); });
    requestDifference();
}

void HeatMapPanel::requestLargest() {
    m_top.start<std::vector<stats::TopElement>>(
        tr("Largest elements"),
        [subject = *m_subject, map = m_map](const Progress& progress) { return stats::findLargest(subject, map, progress); },
        [this](const std::vector<stats::TopElement>& largest) {
            m_largest = largest;
            updateLargest();
        },
        [this](const Error& error) { emit message(translated(error), true); });
}

void HeatMapPanel::updateLargest() {
    if (!m_subject) return;
    const auto* stats = m_subject->minus ? nullptr : m_document.contents().statistics(m_subject->tensor);
    m_topTable->setTable(topTable(m_largest, m_subject->info().shape, stats));
}

void HeatMapPanel::requestDifference() {
    m_compare.cancel();
    m_difference->setTable({});
    m_limit.reset();
    if (!m_subject->minus) return;
    m_compare.start<stats::Difference>(
        tr("Comparing two tensors"),
        [subject = *m_subject, threads = m_services.settings->threads()](const Progress& progress) {
            return stats::compareSubject(subject, threads, progress);
        },
        [this](const stats::Difference& difference) {
            const bool isOtherOriginal = m_subject->isOtherOriginal();
            m_difference->setTable(differenceTable(difference, m_subject->info().shape, isOtherOriginal));
            m_tables->setCurrentWidget(m_difference);
            m_limit = difference.nearlyMax.value_or(0);
            present();
        },
        [this](const Error& error) {
            emit message(translated(error), true);
            m_limit = 0;
            present();
        });
}

void HeatMapPanel::showMap(const stats::MapPtr& map) {
    m_map = map;
    m_awaitsMap = false;
    m_detail = {};
    present();
    if (map->note) emit message(problemText(*map->note), true);
    m_rows->setTable(profileTable(map->rows, true));
    m_columns->setTable(profileTable(map->columns, false));
    requestLargest();
    updateValues();
}

// A difference waits for its limit, so that its colors mean the same from the first picture on.
void HeatMapPanel::present() {
    if (!m_subject || m_awaitsMap || (m_subject->minus && !m_limit)) return;
    updateScale();
    m_picture->setMap(m_map, m_map->levels.empty() ? tr("The tensor has no elements.") : QString());
    updateValues();
}

void HeatMapPanel::requestDetail(const stats::MatrixRegion& region, quint32 cell) {
    if (!m_subject) return;
    m_near.start<stats::MapDetail>(
        tr("Detail view"),
        [subject = *m_subject, region, cell, known = m_detail](const Progress& progress) {
            return stats::readDetail(subject, region, cell, known, progress);
        },
        [this](const stats::MapDetail& detail) {
            m_detail = detail;
            m_picture->setDetail(detail.shown, {detail.own, detail.other});
        },
        [this](const Error& error) { emit message(translated(error), true); });
}

void HeatMapPanel::requestNote() {
    const auto place = m_picture->place();
    if (!place || !m_subject) return m_look.cancel();
    m_look.start<stats::ElementLook>(
        tr("Single element"),
        [subject = *m_subject, at = *place](const Progress&) { return stats::lookAt(subject, at.row, at.column); },
        [this, at = *place](const stats::ElementLook& look) { showNote(look, at); }, [](const Error&) {});
}

void HeatMapPanel::showNote(const stats::ElementLook& look, const HeatMap::Place& place) {
    m_picture->setNote(place.row, place.column, elementNote(look, m_subject->matrix().index(place.row, place.column)));
    if (!m_block->isVisible()) return;
    m_block->setTable(blockTable(look.own));
    const auto row = static_cast<int>(m_subject->matrix().index(place.row, place.column) - look.own.first);
    m_block->scrollTo(m_block->cells()->index(row, 0));
    m_block->selectRow(row);
}

void HeatMapPanel::updateScale() {
    const auto* stats = m_subject && !m_subject->minus ? m_document.contents().statistics(m_subject->tensor) : nullptr;
    m_picture->setStatistic(static_cast<MapStatistic>(m_statistic->currentData().toInt()));
    const double limit = m_limit.value_or(0);
    m_picture->setScale(static_cast<ValueScale>(m_scale->currentData().toInt()), limit > 0 ? limit : clipLimit(stats, m_map.get()));
    updateValues();
}

void HeatMapPanel::updateValues() {
    if (!m_values->isVisible()) return;
    const stats::MapGrid* shown = m_picture->shownGrid();
    const auto owner = [&]() -> std::shared_ptr<const stats::MapGrid> {
        if (!shown) return nullptr;
        if (shown == m_detail.shown.get()) return m_detail.shown;
        return {m_map, shown}; // a level lives as long as its map
    };
    m_grid->setGrid(owner(), m_picture->viewport().visible(), static_cast<MapStatistic>(m_statistic->currentData().toInt()));
}

bool HeatMapPanel::goTo(const QString& text) {
    if (!m_subject) return false;
    std::vector<quint64> numbers;
    for (const QString& part : text.split(QRegularExpression(QStringLiteral("[^0-9]+")), Qt::SkipEmptyParts))
        numbers.push_back(part.toULongLong());
    if (numbers.size() == 3) {
        if (numbers[0] >= stats::sliceCount(m_subject->info().shape)) return false;
        setSlice(numbers[0]);
        numbers.erase(numbers.begin());
    }
    const stats::Matrix matrix = m_subject->matrix();
    if (numbers.size() != 2 || numbers[0] >= matrix.rows || numbers[1] >= matrix.columns) return false;
    m_picture->goTo(numbers[0], numbers[1]);
    m_picture->setFocus();
    return true;
}

void HeatMapPanel::goToElement(std::uint64_t index) {
    if (!m_subject) return;
    setSlice(index / std::max<std::uint64_t>(m_subject->matrix().elements(), 1));
    const stats::Matrix matrix = m_subject->matrix();
    m_picture->goTo((index - matrix.first) / matrix.columns, (index - matrix.first) % matrix.columns);
}

void HeatMapPanel::savePicture() {
    if (!m_subject || !m_picture->waitForFrame()) return emit message(m_picture->unavailableReason(), true);
    const QImage image = m_picture->picture();
    const QString path = askFrom(this, [this](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Save image"), text(m_subject->info().name) + QStringLiteral(".png"),
                                            tr("Image (*.png)"));
    });
    if (path.isEmpty()) return;
    if (const auto free = m_services.openModels->guard().check(fsPath(path)); !free)
        return emit message(translated(free.error()), true);
    if (image.save(path, "PNG")) emit message(tr("Image saved to %1.").arg(path), false);
    else emit message(tr("Could not save the image to %1.").arg(path), true);
}

void HeatMapPanel::copyNumbers() {
    m_tables->setCurrentWidget(m_values);
    updateValues();
    const QString numbers = m_grid->asText(maxCopied);
    if (numbers.isEmpty()) return emit message(tr("Too many values to copy; zoom in first."), true);
    copyText(numbers);
    emit message(tr("Values copied as a table."), false);
}

// A comparison is not kept, and so neither is what it set.
QJsonObject HeatMapPanel::save() const {
    return {{QStringLiteral("statistic"), m_subject && m_subject->minus ? 0 : m_statistic->currentIndex()},
            {QStringLiteral("scale"), m_scale->currentIndex()}};
}

void HeatMapPanel::restore(const QJsonObject& state) {
    m_statistic->setCurrentIndex(std::clamp(state.value(QStringLiteral("statistic")).toInt(), 0, m_statistic->count() - 1));
    m_scale->setCurrentIndex(
        std::clamp(state.value(QStringLiteral("scale")).toInt(m_scale->currentIndex()), 0, m_scale->count() - 1));
}

} // namespace wb::ui::inspect
