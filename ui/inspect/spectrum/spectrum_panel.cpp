// SPDX-License-Identifier: MIT
#include "ui/inspect/spectrum/spectrum_panel.h"

#include "ui/inspect/spectrum/spectrum_plot.h"
#include "ui/inspect/tables/cell_table_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/shape_text.h"
#include "ui/widgets/tabs.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

constexpr double quickProducts = 2e9; // about a second; more waits for a click

Cell spectrumCell(const QString& shown, const QString& exact) {
    Cell cell;
    cell.shown = shown;
    cell.exact = exact;
    cell.number = true;
    return cell;
}

Cell spectrumCell(const std::optional<double>& value) { return spectrumCell(shownOptional(value), exactOptional(value)); }

Cell rankCell(const std::optional<std::uint64_t>& rank) {
    return rank ? spectrumCell(shownCount(*rank), QString::number(*rank)) : spectrumCell(std::nullopt);
}

std::optional<double> alpha(const stats::Spectrum& spectrum) {
    return spectrum.tail ? std::optional(spectrum.tail->alpha) : std::nullopt;
}

std::optional<double> distance(const stats::Spectrum& spectrum) {
    return spectrum.tail ? std::optional(spectrum.tail->distance) : std::nullopt;
}

TableContent spectrumTable(const stats::Spectrum& spectrum) {
    TableContent table{{SpectrumPanel::tr("Measure"), SpectrumPanel::tr("Value")}, {}};
    const auto add = [&](const QString& name, Cell cell, const QString& toolTip = {}) {
        Cell title;
        title.shown = name;
        title.toolTip = toolTip;
        table.rows.push_back({std::move(title), std::move(cell)});
    };
    add(SpectrumPanel::tr("Spectral norm"), spectrumCell(spectrum.spectralNorm), SpectrumPanel::tr("The largest singular value"));
    add(SpectrumPanel::tr("Frobenius norm"), spectrumCell(spectrum.norm));
    add(SpectrumPanel::tr("Stable rank"), spectrumCell(spectrum.stableRank),
        SpectrumPanel::tr("Squared Frobenius norm divided by the squared spectral norm"));
    add(SpectrumPanel::tr("Effective rank"), spectrumCell(spectrum.effectiveRank),
        SpectrumPanel::tr("Exponential of the entropy of the singular values"));
    add(SpectrumPanel::tr("Participation ratio"), spectrumCell(spectrum.participation));
    add(SpectrumPanel::tr("Rank with 90% of energy"), rankCell(spectrum.energyRanks[0]));
    add(SpectrumPanel::tr("Rank with 99% of energy"), rankCell(spectrum.energyRanks[1]));
    add(SpectrumPanel::tr("Rank with 99.9% of energy"), rankCell(spectrum.energyRanks[2]));
    add(SpectrumPanel::tr("Condition number"), spectrumCell(spectrum.condition));
    add(SpectrumPanel::tr("Power-law alpha"), spectrumCell(alpha(spectrum)),
        SpectrumPanel::tr("Exponent of the tail of the squared singular values; 2 to 6 is typical of trained layers"));
    add(SpectrumPanel::tr("KS distance"), spectrumCell(distance(spectrum)),
        SpectrumPanel::tr("Kolmogorov–Smirnov distance between the tail and its fit"));
    if (spectrum.tail) add(SpectrumPanel::tr("Values in the tail"), rankCell(std::uint64_t{spectrum.tail->values}));
    if (!spectrum.isComplete)
        add(SpectrumPanel::tr("Residual"), spectrumCell(spectrum.residual),
            SpectrumPanel::tr("Share of the Frobenius norm without the singular values that are known"));
    return table;
}

} // namespace

SpectrumPanel::SpectrumPanel(Document& document, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_services(services), m_job(services.jobs), m_all(services.jobs) {
    setObjectName(QStringLiteral("spectrumPanel"));
    auto* head = new QHBoxLayout;
    m_hint = new ElidedLabel(this);
    m_hint->setObjectName(QStringLiteral("spectrumHint"));
    m_hint->setProperty("muted", true);
    m_compute = new QPushButton(this);
    m_compute->setObjectName(QStringLiteral("spectrumCompute"));
    m_computeAll = new QPushButton(this);
    m_computeAll->setObjectName(QStringLiteral("spectrumAll"));
    m_computeAll->setToolTip(tr("Measures all matrices of the model by a randomized method"));
    head->addWidget(m_hint, 1);
    head->addWidget(m_compute);
    head->addWidget(m_computeAll);
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    m_plot = new SpectrumPlot(halves);
    halves->addWidget(m_plot);
    m_tables = makeTabs(QStringLiteral("spectrumTables"), halves);
    m_measures = new CellTableView(tr("Spectral measures"), m_tables);
    m_values = new CellTableView(tr("Singular values"), m_tables);
    m_matrices = new CellTableView(tr("Matrices of the model"), m_tables);
    m_measures->setObjectName(QStringLiteral("spectrumMeasures"));
    m_values->setObjectName(QStringLiteral("singularValues"));
    m_matrices->setObjectName(QStringLiteral("spectrumMatrices"));
    m_matrices->setEmptyText(tr("Not computed yet."));
    m_matrices->setStretchedColumn(5); // names are shown in full
    m_matrices->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tables->addTab(m_measures, tr("Measures"));
    m_tables->addTab(m_values, tr("Values"));
    m_tables->addTab(m_matrices, tr("All matrices"));
    halves->addWidget(m_tables);
    halves->setSizes({420, 480});
    halves->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 4);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(halves, 1);
    connect(m_compute, &QPushButton::clicked, this, &SpectrumPanel::compute);
    connect(m_computeAll, &QPushButton::clicked, this, &SpectrumPanel::computeAll);
    connect(m_matrices, &QTableView::activated, this, [this](const QModelIndex& index) {
        const int tensor = m_matrices->cells()->cell(index.row(), 0).tensor;
        if (tensor >= 0) emit tensorChosen(static_cast<std::uint32_t>(tensor));
    });
    constexpr int refreshMs = 500;
    m_refresh.setInterval(refreshMs);
    connect(&m_refresh, &QTimer::timeout, this, &SpectrumPanel::showFound);
    setTensor({});
    updateButtons();
}

SpectrumPanel::~SpectrumPanel() { m_all.cancel(); }

bool SpectrumPanel::isMatrix() const {
    if (!m_tensor) return false;
    const TensorInfo& tensor = m_document.contents().tensor(*m_tensor);
    return tensor.isReadable() && stats::spectralMatrix(tensor.dtype, tensor.shape);
}

void SpectrumPanel::setTensor(std::optional<std::uint32_t> tensor) {
    if (tensor && tensor == m_tensor) return;
    m_job.cancel();
    m_tensor = tensor;
    showSpectrum({});
    m_isStale = true;
    if (isVisible()) request();
    updateButtons();
}

void SpectrumPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) request();
}

void SpectrumPanel::request() {
    m_isStale = false;
    if (!m_tensor) return m_hint->setText(tr("Select a matrix to see its singular values."));
    const TensorInfo& tensor = m_document.contents().tensor(*m_tensor);
    if (!tensor.isReadable()) return m_hint->setText(tr("%1: values cannot be read; see Problems.").arg(text(tensor.name)));
    if (!isMatrix()) return m_hint->setText(tr("Only matrices and filters of convolutions have singular values here."));
    const auto [rows, columns] = *stats::spectralMatrix(tensor.dtype, tensor.shape);
    m_hint->setText(QStringLiteral("%1 · %2").arg(text(tensor.name), shownShape(*Shape::make({rows, columns}))));
    if (static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(std::min(rows, columns)) <= quickProducts)
        compute();
}

void SpectrumPanel::compute() {
    if (m_job.isRunning()) {
        m_job.cancel();
        return updateButtons();
    }
    if (!isMatrix()) return;
    m_job.start<std::shared_ptr<const stats::Spectrum>>(
        tr("Computing singular values"),
        [model = m_document.contents().model, tensor = m_document.contents().tensor(*m_tensor),
         threads = m_services.settings->threads()](const Progress& progress) -> Result<std::shared_ptr<const stats::Spectrum>> {
            stats::SpectrumOptions options;
            options.threads = threads;
            options.progress = progress;
            WB_TRY_ASSIGN(stats::Spectrum spectrum, stats::computeSpectrum(*model, tensor, options));
            return std::make_shared<const stats::Spectrum>(std::move(spectrum));
        },
        [this](const std::shared_ptr<const stats::Spectrum>& spectrum) {
            showSpectrum(spectrum);
            updateButtons();
        },
        [this](const Error& error) {
            m_hint->setText(translated(error));
            updateButtons();
        });
    updateButtons();
}

void SpectrumPanel::computeAll() {
    if (m_all.isRunning()) {
        m_all.cancel();
        m_refresh.stop();
        showFound();
        return updateButtons();
    }
    m_found = std::make_shared<Found>();
    const auto work = [model = m_document.contents().model, found = m_found,
                       threads = m_services.settings->threads()](const Progress& progress) -> Result<bool> {
        std::uint64_t total = 0, before = 0;
        const auto isMeasured = [](const TensorInfo& tensor) {
            return tensor.isReadable() && stats::spectralMatrix(tensor.dtype, tensor.shape);
        };
        for (const TensorInfo& tensor : model->tensors)
            if (isMeasured(tensor)) total += tensor.bytes();
        for (std::uint32_t i = 0; i < model->tensors.size(); ++i) {
            const TensorInfo& tensor = model->tensors[i];
            if (!isMeasured(tensor)) continue;
            stats::SpectrumOptions options;
            options.isFast = true;
            options.threads = threads;
            options.progress = {progress.stop, {}};
            auto spectrum = stats::computeSpectrum(*model, tensor, options);
            if (!spectrum && (spectrum.error().code == ErrorCode::Canceled || spectrum.error().code == ErrorCode::Changed))
                return std::unexpected(spectrum.error());
            {
                const std::lock_guard lock(found->mutex);
                if (spectrum) {
                    spectrum->singularValues = {};
                    found->spectra.emplace_back(i, *std::move(spectrum));
                } else {
                    found->failures.emplace_back(i, spectrum.error());
                }
            }
            WB_TRY(progress.at(before += tensor.bytes(), total));
        }
        return true;
    };
    const auto end = [this] {
        m_refresh.stop();
        showFound();
        updateButtons();
    };
    m_all.start<bool>([title = m_document.title()] { return tr("Singular values of %1").arg(title); }, work,
                      [end](const bool&) { end(); },
                      [this, end](const Error& error) {
                          end();
                          m_hint->setText(translated(error));
                      },
                      true, end);
    m_refresh.start();
    showAll();
    updateButtons();
}

void SpectrumPanel::showAll() { m_tables->setCurrentWidget(m_matrices); }

void SpectrumPanel::showSpectrum(std::shared_ptr<const stats::Spectrum> spectrum) {
    m_spectrum = std::move(spectrum);
    m_plot->setSpectrum(m_spectrum);
    m_measures->setTable(m_spectrum ? spectrumTable(*m_spectrum) : TableContent{});
    TableContent values{{tr("Rank"), tr("Singular value"), tr("Energy up to here")}, {}};
    double energy = 0;
    for (std::size_t i = 0; m_spectrum && i < m_spectrum->singularValues.size(); ++i) {
        const double value = m_spectrum->singularValues[i], share = value / m_spectrum->norm;
        energy += m_spectrum->norm > 0 ? share * share : 0;
        values.rows.push_back(
            {rankCell(std::uint64_t{i + 1}), spectrumCell(value), spectrumCell(shownPercent(energy), exactNumber(energy))});
    }
    m_values->setTable(values);
}

void SpectrumPanel::showFound() {
    if (!m_found) return;
    TableContent table{
        {tr("Tensor"), tr("Spectral norm"), tr("Stable rank"), tr("Rank with 99% of energy"), tr("Alpha"), tr("KS distance")}, {}};
    const auto nameCell = [this](std::uint32_t tensor) {
        Cell cell;
        cell.shown = text(m_document.model().tensors[tensor].name);
        cell.tensor = static_cast<int>(tensor);
        return cell;
    };
    const std::lock_guard lock(m_found->mutex);
    if (m_matrices->model()->rowCount() == static_cast<int>(m_found->spectra.size() + m_found->failures.size())) return;
    for (const auto& [tensor, spectrum] : m_found->spectra)
        table.rows.push_back({nameCell(tensor), spectrumCell(spectrum.spectralNorm), spectrumCell(spectrum.stableRank),
                              rankCell(spectrum.energyRanks[1]), spectrumCell(alpha(spectrum)), spectrumCell(distance(spectrum))});
    for (const auto& [tensor, error] : m_found->failures) {
        Cell name = nameCell(tensor);
        name.severity = Severity::Warning;
        name.toolTip = translated(error);
        table.rows.push_back({std::move(name), spectrumCell(std::nullopt), spectrumCell(std::nullopt), spectrumCell(std::nullopt),
                              spectrumCell(std::nullopt), spectrumCell(std::nullopt)});
    }
    m_matrices->setTable(std::move(table));
}

void SpectrumPanel::updateButtons() {
    m_compute->setText(m_job.isRunning() ? tr("Cancel") : tr("Compute"));
    m_compute->setEnabled(m_job.isRunning() || (isMatrix() && !m_spectrum));
    m_computeAll->setText(m_all.isRunning() ? tr("Cancel") : tr("Compute all matrices"));
}

} // namespace wb::ui::inspect
