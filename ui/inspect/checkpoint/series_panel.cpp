// SPDX-License-Identifier: MIT
#include "ui/inspect/checkpoint/series_panel.h"

#include "core/base/text.h"
#include "core/formats/open.h"
#include "ui/inspect/checkpoint/checkpoint_panel.h"
#include "ui/inspect/document/problem_text.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/inspect/trend/trend_view.h"
#include "ui/widgets/box_name.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace wb::ui::inspect {
namespace {

constexpr int lossItem = -1;
constexpr std::size_t mostShown = 24; // lines that differ visibly, and columns

Cell seriesCell(const QString& shown, const QString& exact = {}) {
    Cell cell;
    cell.shown = shown;
    cell.exact = exact;
    cell.number = true;
    return cell;
}

// Steps, else whole epochs, where every checkpoint has its own; else the place in the series.
std::pair<TrendAxis, std::vector<std::uint64_t>> positionsOfSeries(const std::vector<SeriesEntry>& entries) {
    constexpr double largest = 9e15; // exact as f64
    std::vector<std::uint64_t> steps, epochs, places;
    for (const SeriesEntry& entry : entries) {
        places.push_back(places.size() + 1);
        if (entry.step) steps.push_back(*entry.step);
        if (entry.epoch && *entry.epoch >= 0 && *entry.epoch < largest && *entry.epoch == std::floor(*entry.epoch))
            epochs.push_back(static_cast<std::uint64_t>(*entry.epoch));
    }
    const auto isAxis = [&](const std::vector<std::uint64_t>& found) {
        return found.size() == entries.size() && std::ranges::adjacent_find(found, std::greater_equal()) == found.end();
    };
    if (isAxis(steps)) return {TrendAxis::Step, std::move(steps)};
    if (isAxis(epochs)) return {TrendAxis::Epoch, std::move(epochs)};
    return {TrendAxis::Checkpoint, std::move(places)};
}

// Without the lists that the panel does not show.
std::shared_ptr<const stats::TensorStats> withoutLists(const stats::TensorStats& statistics) {
    auto few = std::make_shared<stats::TensorStats>(statistics);
    few->histogram.reset();
    few->channels.reset();
    few->top.clear();
    return few;
}

} // namespace

SeriesPanel::SeriesPanel(Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_job(services.jobs), m_statistic(new QComboBox(this)),
      m_logarithmic(new QCheckBox(tr("Log axis"), this)), m_hint(new ElidedLabel(this)), m_compute(new QPushButton(this)),
      m_computeAll(new QPushButton(this)) {
    setObjectName(QStringLiteral("seriesPanel"));
    std::tie(m_axis, m_positions) = positionsOfSeries(entries());
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    m_plot = new TrendView(halves);
    m_plot->setObjectName(QStringLiteral("seriesPlot"));
    m_plot->setAccessibleName(tr("Checkpoints of the run"));
    m_plot->setAxis(m_axis);
    m_table = new CellTableView(tr("Checkpoints of the run"), halves);
    m_table->setObjectName(QStringLiteral("checkpointSeries"));
    m_table->setTextElideMode(Qt::ElideMiddle); // names of a series differ at their ends
    halves->addWidget(m_plot);
    halves->addWidget(m_table);
    halves->setSizes({420, 480});
    halves->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(makeControls());
    layout->addWidget(halves, 1);
    connect(m_plot, &TrendView::tensorChosen, this, [this](quint32 tensor) {
        if (statistic()) emit tensorChosen(tensor);
    });
    constexpr int refreshMs = 500;
    m_refresh.setInterval(refreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &SeriesPanel::collect);
    const bool hasLoss = std::ranges::any_of(entries(), [](const SeriesEntry& entry) { return entry.loss.has_value(); });
    if (!hasLoss) showStatistic(Column::Std);
    updateButtons();
    refresh();
}

SeriesPanel::~SeriesPanel() { m_job.cancel(); }

QWidget* SeriesPanel::makeControls() {
    auto* controls = new QWidget(this);
    m_statistic->setObjectName(QStringLiteral("seriesStatistic"));
    m_statistic->addItem(tr("Loss"), lossItem);
    for (int column = static_cast<int>(Column::Min); column < columnCount; ++column)
        m_statistic->addItem(columnTitle(static_cast<Column>(column)), column);
    m_logarithmic->setObjectName(QStringLiteral("seriesLogarithmic"));
    m_logarithmic->setToolTip(tr("Logarithmic axis, where all values are positive"));
    m_hint->setObjectName(QStringLiteral("seriesHint"));
    m_hint->setProperty("muted", true);
    m_compute->setObjectName(QStringLiteral("seriesCompute"));
    m_compute->setToolTip(tr("Computes the statistics of the selected tensor in every checkpoint"));
    m_computeAll->setObjectName(QStringLiteral("seriesAll"));
    m_computeAll->setToolTip(tr("Computes the statistics of all tensors in every checkpoint; this reads the whole folder"));
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_statistic);
    row->addWidget(m_logarithmic);
    row->addWidget(m_hint, 1);
    row->addWidget(m_compute);
    row->addWidget(m_computeAll);
    nameBox(m_statistic, tr("Statistic"));
    connect(m_statistic, &QComboBox::currentIndexChanged, this, &SeriesPanel::refresh);
    connect(m_logarithmic, &QCheckBox::toggled, m_plot, &TrendView::setLogarithmic);
    connect(m_compute, &QPushButton::clicked, this, &SeriesPanel::compute);
    connect(m_computeAll, &QPushButton::clicked, this, &SeriesPanel::computeAll);
    return controls;
}

void SeriesPanel::setTensor(std::optional<std::uint32_t> tensor) {
    m_tensor = tensor;
    updateButtons();
    refresh();
}

std::optional<Column> SeriesPanel::statistic() const {
    const int chosen = m_statistic->currentData().toInt();
    return chosen == lossItem ? std::nullopt : std::optional(static_cast<Column>(chosen));
}

void SeriesPanel::showStatistic(Column statistic) {
    m_statistic->setCurrentIndex(m_statistic->findData(static_cast<int>(statistic)));
}

void SeriesPanel::compute() {
    if (m_job.isRunning()) {
        m_job.cancel();
        return collect();
    }
    if (!m_tensor) return;
    const std::string& name = m_document.contents().tensor(*m_tensor).name;
    start({name}, [name = text(name)] { return tr("Statistics of %1 over the checkpoints").arg(name); });
}

void SeriesPanel::computeAll() {
    if (m_job.isRunning()) {
        m_job.cancel();
        return collect();
    }
    std::set<std::string> names;
    for (const TensorInfo& tensor : m_document.model().tensors) names.insert(tensor.name);
    start(std::move(names), [title = m_document.title()] { return tr("Statistics of the checkpoints of %1").arg(title); });
}

void SeriesPanel::start(std::set<std::string> names, std::function<QString()> title) {
    if (m_services.statistics == nullptr) return;
    m_found = std::make_shared<Found>();
    m_problems.clear();
    m_failure.clear();
    if (!statistic()) showStatistic(Column::Std);
    const auto work = [model = m_document.contents().model, backend = m_services.statistics, names = std::move(names),
                       threads = m_services.settings->threads(), found = m_found](const Progress& progress) -> Result<bool> {
        std::uint64_t total = 0, before = 0;
        for (const SeriesEntry& entry : *model->series) total += entry.bytes;
        stats::SeriesOptions options;
        options.names = names;
        options.statistics.threads = threads;
        options.progress = [&](const TensorInfo&) { return Progress{progress.stop, {}}; };
        options.open = [&](const std::filesystem::path& path) {
            formats::OpenOptions opening;
            opening.progress = {progress.stop, {}};
            return formats::open(path, opening);
        };
        for (const SeriesEntry& entry : *model->series) {
            WB_TRY(progress.at(before, total));
            std::vector<Problem> problems;
            WB_TRY_ASSIGN(auto measured, stats::measureCheckpoint(model->folder, entry, *backend, options, problems));
            before += entry.bytes;
            const std::lock_guard lock(found->mutex);
            found->checkpoints.push_back(std::move(measured));
            std::ranges::move(problems, std::back_inserter(found->problems));
        }
        return true;
    };
    const auto end = [this] { collect(); };
    m_job.start<bool>(
        std::move(title), work, [end](const bool&) { end(); },
        [this, end](const Error& error) {
            m_failure = translated(error);
            end();
        },
        true, end);
    m_refresh.start();
    updateButtons();
}

// Takes over the checkpoints that are measured so far.
void SeriesPanel::collect() {
    if (m_found) {
        const std::lock_guard lock(m_found->mutex);
        for (std::size_t i = 0; i < m_found->checkpoints.size(); ++i)
            for (const auto& tensor : m_found->checkpoints[i].tensors) {
                auto& line = m_measured[tensor.name];
                line.resize(entries().size());
                if (tensor.statistics) line[i] = withoutLists(*tensor.statistics);
            }
        m_problems = m_found->problems;
    }
    if (!m_job.isRunning()) {
        m_refresh.stop();
        m_found.reset();
    }
    m_order.clear();
    std::set<std::string_view> seen; // a stored and a logical tensor may share a name
    for (std::uint32_t i = 0; i < m_document.contents().count(); ++i) {
        const std::string& name = m_document.contents().tensor(i).name;
        if (m_measured.contains(name) && seen.insert(name).second) m_order.push_back(i);
    }
    updateButtons();
    refresh();
}

std::vector<std::uint32_t> SeriesPanel::shownTensors() const {
    std::vector<std::uint32_t> shown;
    const auto nameOf = [this](std::uint32_t tensor) -> const std::string& { return m_document.contents().tensor(tensor).name; };
    if (m_tensor && m_measured.contains(nameOf(*m_tensor))) shown.push_back(*m_tensor);
    for (const std::uint32_t tensor : m_order)
        if (shown.size() < mostShown && (shown.empty() || nameOf(tensor) != nameOf(shown.front()))) shown.push_back(tensor);
    return shown;
}

std::vector<TrendLine> SeriesPanel::lines() const {
    std::vector<TrendLine> lines;
    const auto wanted = statistic();
    if (!wanted) {
        TrendLine loss{tr("Loss"), {}};
        for (std::size_t i = 0; i < entries().size(); ++i)
            if (entries()[i].loss) loss.points.push_back({m_positions[i], *entries()[i].loss, 1, 0});
        if (!loss.points.empty()) lines.push_back(std::move(loss));
        return lines;
    }
    for (const std::uint32_t tensor : shownTensors()) {
        const std::string& name = m_document.contents().tensor(tensor).name;
        TrendLine line{text(name), {}};
        const auto& measured = m_measured.at(name);
        for (std::size_t i = 0; i < measured.size(); ++i)
            if (const auto value = measured[i] ? statisticValue(*measured[i], *wanted) : std::nullopt)
                line.points.push_back({m_positions[i], *value, 1, tensor});
        if (!line.points.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

void SeriesPanel::fillTable() {
    TableContent table{{tr("Checkpoint"), tr("Step")}, {}};
    const auto wanted = statistic();
    const std::vector<std::uint32_t> tensors = wanted ? shownTensors() : std::vector<std::uint32_t>();
    for (const std::uint32_t tensor : tensors) table.headers << text(m_document.contents().tensor(tensor).name);
    table.headers << tr("Epoch") << tr("Loss") << tr("Size");
    if (!wanted) table.headers << tr("Parts");
    for (std::size_t i = 0; i < entries().size(); ++i) {
        const SeriesEntry& entry = entries()[i];
        Cell name;
        name.shown = text(escapeControls(entry.path));
        const auto problem = std::ranges::find(m_problems, entry.path, &Problem::file);
        if (problem != m_problems.end()) {
            name.severity = problem->severity;
            name.toolTip = problemText(*problem);
        }
        std::vector<Cell> row = {name, seriesCell(entry.step ? shownCount(*entry.step) : QString())};
        for (const std::uint32_t tensor : tensors) {
            const auto& statistics = m_measured.at(m_document.contents().tensor(tensor).name)[i];
            const auto value = statistics ? statisticValue(*statistics, *wanted) : std::nullopt;
            Cell cell = seriesCell(shownOptional(value), exactOptional(value));
            cell.tensor = static_cast<int>(tensor);
            if (statistics && statistics->nan + statistics->inf > 0) {
                cell.severity = Severity::Warning;
                cell.toolTip = tr("%1 NaN and %2 infinite elements").arg(shownCount(statistics->nan), shownCount(statistics->inf));
            }
            row.push_back(std::move(cell));
        }
        row.push_back(seriesCell(shownOptional(entry.epoch)));
        row.push_back(seriesCell(shownOptional(entry.loss)));
        row.push_back(seriesCell(fileSizeText(entry.bytes), QString::number(entry.bytes)));
        if (!wanted) {
            QStringList parts;
            for (const CheckpointPart part : entry.parts) parts << checkpointPartTitle(part);
            Cell cell;
            cell.shown = parts.join(QStringLiteral(", "));
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    }
    m_table->setStretchedColumn(wanted ? 0 : 5);
    m_table->setTable(std::move(table));
}

QString SeriesPanel::hint() const {
    if (!m_failure.isEmpty()) return m_failure;
    if (!m_problems.empty()) return problemText(m_problems.front());
    if (statistic() && m_order.size() > mostShown)
        return tr("Showing %1 of %2 measured tensors; select a tensor to see it").arg(mostShown).arg(m_order.size());
    return {};
}

void SeriesPanel::refresh() {
    const QString reason = statistic() ? tr("Select a tensor and choose Measure to see it over the training.")
                                       : tr("The checkpoints contain no loss.");
    m_plot->setTrend(m_statistic->currentText(), lines(), reason);
    fillTable();
    m_hint->setText(hint());
    m_hint->setToolTip(m_hint->text());
}

void SeriesPanel::updateButtons() {
    const bool isRunning = m_job.isRunning();
    m_compute->setText(isRunning ? tr("Cancel") : tr("Measure"));
    m_compute->setEnabled(isRunning || (m_tensor && m_services.statistics != nullptr));
    m_computeAll->setText(tr("Measure all tensors"));
    m_computeAll->setEnabled(!isRunning && m_services.statistics != nullptr);
}

} // namespace wb::ui::inspect
