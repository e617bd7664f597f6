// SPDX-License-Identifier: MIT
#include "ui/inspect/model_page.h"

#include "ui/shell/services/devices.h"
#include "core/formats/value_export.h"
#include "core/infer/graph/run_check.h"
#include "core/scan/scan.h"
#include "ui/inspect/checkpoint/checkpoint_panel.h"
#include "ui/inspect/checkpoint/series_panel.h"
#include "ui/inspect/distribution/distribution_panel.h"
#include "ui/inspect/distribution/histogram_view.h"
#include "ui/inspect/document/model_opener.h"
#include "ui/inspect/integrity/integrity_panel.h"
#include "ui/inspect/metadata/header_card.h"
#include "ui/widgets/tabs.h"
#include "ui/widgets/message_bar.h"
#include "ui/inspect/metadata/metadata_panel.h"
#include "ui/inspect/map/model_map_panel.h"
#include "ui/inspect/map/model_map_view.h"
#include "ui/widgets/numbers.h"
#include "ui/inspect/distribution/numbers_panel.h"
#include "ui/inspect/metadata/problems_panel.h"
#include "ui/inspect/metadata/safety_panel.h"
#include "ui/widgets/tabs.h"
#include "ui/inspect/tensors/tensor_panel.h"
#include "ui/inspect/map/heat_map_panel.h"
#include "ui/inspect/spectrum/spectrum_panel.h"
#include "ui/inspect/spectrum/spectrum_plot.h"
#include "ui/inspect/storage/storage_panel.h"
#include "ui/inspect/tensors/totals_panel.h"
#include "ui/inspect/trend/trend_panel.h"
#include "ui/inspect/trend/trend_view.h"
#include "ui/inspect/whatif/error_map_view.h"
#include "ui/inspect/whatif/what_if_panel.h"
#include "ui/plots/heat_map.h"
#include "ui/shell/picture_actions.h"
#include "ui/widgets/ask.h"
#include "ui/widgets/card.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/paths.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace wb::ui::inspect {
namespace {

// Whether the model's files are still those that were indexed; Changed, NotFound or NotReadable where one is not. Runs on a worker.
Result<void> checkUnchanged(const Model& model, const Progress& progress) {
    for (std::uint32_t file = 0; file < model.files.size(); ++file) {
        WB_TRY(progress.at(file, model.files.size()));
        if (model.files[file].identity == io::Identity()) continue; // it was missing when the model was opened
        WB_TRY(openFile(model, file));
    }
    return {};
}

QFrame* makeCard(QWidget* content) {
    auto* card = new QFrame;
    card->setProperty("card", true);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(2, 2, 2, 6);
    layout->addWidget(content);
    return card;
}

QString stateText(const QSplitter* splitter) { return QString::fromLatin1(splitter->saveState().toBase64()); }

void restoreSplitter(QSplitter* splitter, const QJsonValue& state) {
    const QByteArray bytes = QByteArray::fromBase64(state.toString().toLatin1());
    if (!bytes.isEmpty()) splitter->restoreState(bytes);
}

} // namespace

ModelPage::ModelPage(Document& document, StatisticsRunner& runner, const Services& services, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner), m_services(services), m_scan(services.jobs),
      m_checking(services.jobs), m_header(new HeaderCard(document.contents(), document.title(), document.path(), this)),
      m_bar(new MessageBar(this)), m_fetchBar(new MessageBar(this)), m_columns(new QSplitter(Qt::Horizontal, this)),
      m_rows(new QSplitter(Qt::Vertical, this)), m_tensors(new TensorPanel(document, this)) {
    m_listCard = makeCard(m_tensors);
    m_sideCard = makeCard(makeSides());
    m_rows->addWidget(m_listCard);
    m_rows->addWidget(makeCard(makeDetails()));
    m_columns->addWidget(m_sideCard);
    m_columns->addWidget(m_rows);
    for (QSplitter* splitter : {m_columns, m_rows}) {
        splitter->setHandleWidth(8);
        splitter->setProperty("gap", true); // the cards' edges are enough
        splitter->setChildrenCollapsible(false);
    }
    m_sideCard->setMinimumWidth(256); // all its tabs can be distinguished from each other
    m_rows->setMinimumWidth(648);     // and here
    m_columns->setSizes({330, 840});
    m_columns->setStretchFactor(1, 1);
    m_rows->setSizes({380, 270});
    m_rows->setStretchFactor(0, 3);
    m_rows->setStretchFactor(1, 2);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 10);
    layout->setSpacing(8);
    layout->addWidget(m_header);
    layout->addWidget(m_bar);
    layout->addWidget(m_fetchBar);
    layout->addWidget(m_columns, 1);

    connect(m_header, &HeaderCard::problemsWanted, this, [this] { showSide(Side::Problems); });
    connect(m_header, &HeaderCard::safetyWanted, this, [this] { showSide(Side::Safety); });
    connect(m_header, &HeaderCard::memoryWanted, this, &ModelPage::memoryWanted);
    connect(m_header, &HeaderCard::quantizeWanted, this, &ModelPage::quantizeWanted);
    connect(m_header, &HeaderCard::compareWanted, this, &ModelPage::compareWanted);
    connect(m_header, &HeaderCard::templateWanted, this, [this] {
        showSide(Side::Metadata);
        enlargeDetail(false);
        m_metadata->showKey(QStringLiteral("tokenizer.chat_template"));
    });
    connect(m_bar, &MessageBar::actionChosen, this, &ModelPage::reloadWanted);
    m_fetchBar->setObjectName(QStringLiteral("fetchBar"));
    connect(m_fetchBar, &MessageBar::actionChosen, this, &ModelPage::fetch);
    connect(m_tensors, &TensorPanel::currentTensorChanged, this, &ModelPage::showTensor);
    connect(m_tensors, &TensorPanel::computeWanted, this, &ModelPage::toggleComputing);
    connect(m_tensors, &TensorPanel::exportWanted, this, &ModelPage::askForExport);
    connect(m_tensors, &TensorPanel::valuesWanted, this, &ModelPage::askForValues);
    connectRunner();
    const auto showDanger = [this] {
        const auto& danger = m_document.danger();
        if (!danger) return;
        m_header->showVerdict(*danger);
        const bool isShown = m_sides->currentIndex() == static_cast<int>(Side::Safety);
        if (QWidget* before = m_sides->widget(static_cast<int>(Side::Safety))) { // what the reader knew
            m_sides->removeTab(static_cast<int>(Side::Safety));
            before->setParent(nullptr);
            before->deleteLater();
        }
        m_sides->addTab(new LazyWidget([this, danger](QWidget* owner) {
                            const QString path = QFileInfo::exists(m_document.path()) ? m_document.path() : QString();
                            return new SafetyPanel(danger, path, m_services, owner);
                        }),
                        tr("Safety"));
        if (isShown) showSide(Side::Safety);
    };
    connect(&document, &Document::dangerChanged, this, showDanger);
    showDanger();
    scan();
}

// Readers of formats that run something say at once what it is. A scan finds the content next to the calls, too: templates,
// secrets, code of a folder, tricks of archives.
void ModelPage::scan() {
    if (m_document.isScanned() || !m_services.jobs || !QFileInfo::exists(m_document.path())) return;
    m_scan.start<Danger>(
        tr("Scanning %1 for code").arg(m_document.title()),
        [path = fsPath(m_document.path())](const Progress& progress) {
            scan::Options options;
            options.progress = progress;
            return scan::scan(path, options);
        },
        [this](const Danger& danger) { m_document.setDanger(std::make_shared<const Danger>(danger)); },
        [](const Error&) {}); // the next reader reports the error
}

// From the index that is open already; what cannot be counted has no badge.
// A local file is opened again, strictly, as Chat opens it. A model that is no language model has no badge.
void ModelPage::checkRun() {
    const auto work = [model = m_document.contents().model, path = m_document.path(),
                       devices = memoryLister(m_services.devices)](const Progress& progress) -> Result<wb::infer::RunCheck> {
        WB_TRY(wb::memory::memorySubject(model)); // has layers, heads and a vocabulary
        const auto memories = wb::memory::memoriesHere(devices);
        if (!QFileInfo::exists(path)) return wb::infer::checkRunnable(model, memories);
        return wb::infer::checkRun(fsPath(path), memories, progress.stop);
    };
    m_checking.start<wb::infer::RunCheck>(
        tr("Checking whether %1 runs here").arg(m_document.title()), work,
        [this](const wb::infer::RunCheck& check) { m_header->showRun(check); }, [](const Error&) {});
}

QWidget* ModelPage::makeSides() {
    m_sides = makeTabs(QStringLiteral("sides"), this);
    m_sides->setUsesScrollButtons(false); // names are cut sooner than that tabs disappear behind arrows
    m_sides->tabBar()->setElideMode(Qt::ElideRight);
    m_metadata = new MetadataPanel(m_document.contents().model, m_services.jobs, m_sides);
    connect(m_metadata, &MetadataPanel::failed, this, &ModelPage::showChanged);
    m_sides->addTab(m_metadata, tr("Metadata"));
    m_sides->addTab(new LazyWidget([this](QWidget* parent) { return new TotalsPanel(m_document.contents(), parent); }),
                    tr("Totals"));
    m_sides->addTab(new LazyWidget([this](QWidget* parent) {
                        auto* panel = new ProblemsPanel(m_document.problems(), parent);
                        connect(&m_document, &Document::problemsChanged, panel,
                                [this, panel] { panel->setProblems(m_document.problems()); });
                        return panel;
                    }),
                    QString());
    showProblemCount();
    connect(&m_document, &Document::problemsChanged, this, &ModelPage::showProblemCount);
    return m_sides;
}

void ModelPage::showProblemCount() {
    const auto& problems = m_document.problems();
    m_sides->setTabText(static_cast<int>(Side::Problems),
                        problems.empty() ? tr("Problems") : tr("Problems (%1)").arg(shownCount(problems.size())));
    m_header->showProblems(problems);
}

QWidget* ModelPage::makeDetails() {
    m_details = makeTabs(QStringLiteral("details"), this);
    m_numbers = new NumbersPanel(m_document, m_details);
    m_details->addTab(m_numbers, tr("Tensor"));
    const auto addLazily = [this](const QString& title, QWidget* (ModelPage::*make)(QWidget*)) {
        m_details->addTab(new LazyWidget([this, make](QWidget* parent) {
                              QWidget* const panel = (this->*make)(parent);
                              offerPictures(panel);
                              return panel;
                          }),
                          title);
    };
    offerPictures(m_numbers);
    addLazily(tr("Heat map"), &ModelPage::makeHeatMap);
    addLazily(tr("Distribution"), &ModelPage::makeDistribution);
    addLazily(tr("Layer trend"), &ModelPage::makeTrend);
    addLazily(tr("Model map"), &ModelPage::makeModelMap);
    addLazily(tr("Compare types"), &ModelPage::makeWhatIf);
    addLazily(tr("Spectrum"), &ModelPage::makeSpectrum);
    addLazily(tr("Storage"), &ModelPage::makeStorage);
    addLazily(tr("Integrity"), &ModelPage::makeIntegrity);
    if (const ModelPtr& model = m_document.contents().model; model->checkpoint || model->series)
        addLazily(tr("Checkpoint"), &ModelPage::makeCheckpoint);
    m_enlarge = makeEnlarge();
    auto* corner = new QWidget(m_details);
    m_shownTensor = makeMutedLabel(corner);
    m_shownTensor->setObjectName(QStringLiteral("shownTensor"));
    m_shownTensor->setWordWrap(false);
    m_shownTensor->setTextFormat(Qt::PlainText);
    m_shownTensor->hide();
    auto* line = new QHBoxLayout(corner);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_shownTensor);
    line->addWidget(m_enlarge);
    m_details->setCornerWidget(corner);
    return m_details;
}

QToolButton* ModelPage::makeEnlarge() {
    auto* button = new QToolButton(m_details);
    button->setIcon(icon(QStringLiteral("fullscreen")));
    button->setCheckable(true);
    button->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M));
    button->setAccessibleName(tr("Maximize panel"));
    button->setToolTip(tr("Maximize panel (Ctrl+Shift+M)"));
    connect(button, &QToolButton::toggled, this, &ModelPage::enlargeDetail);
    return button;
}

// The heat map has more to offer than these.
void ModelPage::offerPictures(QWidget* panel) {
    const auto children = panel->findChildren<QWidget*>();
    for (QWidget* child : children) {
        const bool isPlot = qobject_cast<ImGuiWidget*>(child) || qobject_cast<HistogramView*>(child) ||
                            qobject_cast<TrendView*>(child) || qobject_cast<ModelMapView*>(child) ||
                            qobject_cast<ErrorMapView*>(child) || qobject_cast<SpectrumPlot*>(child);
        if (isPlot && !qobject_cast<HeatMap*>(child)) addPictureActions(child, m_services);
    }
}

void ModelPage::enlargeDetail(bool enlarged) {
    m_listCard->setHidden(enlarged);
    m_sideCard->setHidden(enlarged);
    m_enlarge->setChecked(enlarged);
    m_shownTensor->setVisible(enlarged); // else the table shows it
}

QWidget* ModelPage::makeHeatMap(QWidget* parent) {
    m_view = new HeatMapPanel(m_document, m_services, parent);
    m_view->comparison()->setOpenModels([this] { return m_otherModels ? m_otherModels() : QList<OtherModel>(); });
    m_view->restore(m_viewState);
    m_view->setTensor(readableTensor());
    connect(m_view, &HeatMapPanel::message, this, &ModelPage::message);
    return m_view;
}

HeatMapPanel* ModelPage::heatMapPanel() {
    showDetail(Detail::Map);
    return m_view;
}

QWidget* ModelPage::makeDistribution(QWidget* parent) {
    m_distribution = new DistributionPanel(m_document, m_services, parent);
    m_distribution->setTensor(readableTensor());
    return m_distribution;
}

QWidget* ModelPage::makeModelMap(QWidget* parent) {
    auto* panel = new ModelMapPanel(m_document, parent);
    connect(panel, &ModelMapPanel::computeWanted, this, &ModelPage::computeAll);
    connect(panel, &ModelMapPanel::tensorChosen, m_tensors, &TensorPanel::chooseTensor);
    return panel;
}

QWidget* ModelPage::makeIntegrity(QWidget* parent) { return new IntegrityPanel(m_document, m_services.jobs, parent); }

QWidget* ModelPage::makeCheckpoint(QWidget* parent) {
    m_checkpoint = new CheckpointPanel(m_document, m_services, parent);
    if (SeriesPanel* series = m_checkpoint->series()) {
        series->setTensor(readableTensor());
        connect(series, &SeriesPanel::tensorChosen, m_tensors, &TensorPanel::chooseTensor);
    }
    return m_checkpoint;
}

QWidget* ModelPage::makeSpectrum(QWidget* parent) {
    m_spectrum = new SpectrumPanel(m_document, m_services, parent);
    m_spectrum->setTensor(readableTensor());
    connect(m_spectrum, &SpectrumPanel::tensorChosen, m_tensors, &TensorPanel::chooseTensor);
    return m_spectrum;
}

QWidget* ModelPage::makeStorage(QWidget* parent) {
    m_storage = new StoragePanel(m_document, m_services, parent);
    m_storage->setTensor(m_tensors->currentTensor());
    connect(m_storage, &StoragePanel::tensorChosen, m_tensors, &TensorPanel::chooseTensor);
    return m_storage;
}

QWidget* ModelPage::makeTrend(QWidget* parent) {
    m_trend = new TrendPanel(m_document, parent);
    m_trend->restore(m_trendState);
    connect(m_trend, &TrendPanel::computeWanted, this, &ModelPage::computeAll);
    connect(m_trend, &TrendPanel::tensorChosen, m_tensors, &TensorPanel::chooseTensor);
    return m_trend;
}

QWidget* ModelPage::makeWhatIf(QWidget* parent) {
    m_whatIf = new WhatIfPanel(m_document, m_services, parent);
    m_whatIf->setTensor(readableTensor());
    return m_whatIf;
}

void ModelPage::connectRunner() {
    connect(&m_runner, &StatisticsRunner::activityChanged, this, [this] {
        m_numbers->setBusy(m_runner.requested() == m_tensors->currentTensor() && m_runner.requested());
        m_tensors->setComputing(m_runner.isComputingAll());
    });
    connect(&m_runner, &StatisticsRunner::tensorFailed, this, [this](std::uint32_t tensor, const Error& error) {
        if (tensor == m_tensors->currentTensor()) m_numbers->showFailure(translated(error));
    });
    connect(&m_runner, &StatisticsRunner::modelFailed, this, [this](const Error& error) { m_bar->showMessage(error); });
    connect(&m_runner, &StatisticsRunner::changedOnDisk, this, &ModelPage::showChanged);
    m_tensors->setComputing(m_runner.isComputingAll());
}

void ModelPage::showSide(Side side) { m_sides->setCurrentIndex(static_cast<int>(side)); }

void ModelPage::showDetail(Detail detail) { m_details->setCurrentIndex(static_cast<int>(detail)); }

void ModelPage::showTensor() {
    const auto tensor = m_tensors->currentTensor();
    m_shownTensor->setText(tensor ? text(m_document.contents().tensor(*tensor).name) : QString());
    const auto readable = readableTensor();
    m_numbers->setTensor(tensor);
    if (m_whatIf) m_whatIf->setTensor(readable);
    if (m_view) m_view->setTensor(readable);
    if (m_distribution) m_distribution->setTensor(readable);
    if (m_spectrum) m_spectrum->setTensor(readable);
    if (m_storage) m_storage->setTensor(tensor);
    if (m_checkpoint && m_checkpoint->series()) m_checkpoint->series()->setTensor(readable);
    m_fetchBar->hide();
    if (readable) m_runner.request(*readable);
    else if (tensor) askToFetch(tensor);
}

// A look at little costs less than the question.
bool ModelPage::mayRead(std::uint32_t tensor) const {
    constexpr std::uint64_t little = 4u << 20;
    return !isRemotePath(m_document.path()) || m_isAllFetchable || m_fetchable.contains(tensor) ||
           m_document.contents().tensor(tensor).bytes() <= little;
}

std::optional<std::uint32_t> ModelPage::readableTensor() const {
    const auto tensor = m_tensors->currentTensor();
    return tensor && mayRead(*tensor) ? tensor : std::nullopt;
}

void ModelPage::askToFetch(std::optional<std::uint32_t> tensor) {
    m_toFetch = tensor;
    const quint64 bytes = tensor ? m_document.contents().tensor(*tensor).bytes() : m_document.model().tensorBytes();
    const QString question =
        tensor ? tr("The values of %1 have not been downloaded.").arg(text(m_document.contents().tensor(*tensor).name))
               : tr("The tensor values have not been downloaded; up to 1 GiB can be fetched.");
    m_fetchBar->showMessage(question,
                            tr("Download %1").arg(fileSizeText(std::min<quint64>(bytes, tensor ? bytes : quint64{1} << 30))));
}

void ModelPage::fetch() {
    if (m_toFetch) m_fetchable.insert(*m_toFetch);
    else m_isAllFetchable = true;
    m_fetchBar->hide();
    showTensor();
    if (!m_toFetch) computeAll();
}

void ModelPage::computeAll() {
    const bool asks = isRemotePath(m_document.path()) && !m_isAllFetchable;
    if (asks) askToFetch({});
    else m_runner.computeAll();
}

void ModelPage::toggleComputing() {
    if (m_runner.isComputingAll()) m_runner.cancelAll();
    else computeAll();
}

void ModelPage::checkFiles() {
    m_services.jobs->start(
        tr("Checking for changes"), this,
        [model = m_document.contents().model](const Progress& progress) { return checkUnchanged(*model, progress); },
        [this](const Result<void>& result) {
            if (!result) showChanged(result.error());
        },
        false);
}

void ModelPage::showChanged(const Error& error) {
    if (error.code != ErrorCode::Canceled) m_bar->showMessage(error, tr("Reload"));
}

void ModelPage::askForExport() {
    const QString csv = tr("Table (*.csv)");
    const QString json = tr("JSON (*.json)");
    QString chosen = csv;
    QString path = askFrom(this, [&](QWidget* window) {
        return QFileDialog::getSaveFileName(
            window, tr("Export %n tensor(s)", nullptr, static_cast<int>(m_tensors->shownTensors().size())),
            m_document.title() + QStringLiteral(".csv"), csv + QStringLiteral(";;") + json, &chosen);
    });
    if (path.isEmpty()) return;
    const bool isJson = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) || chosen == json;
    if (isJson && path.endsWith(QLatin1String(".csv"))) path = path.chopped(4) + QStringLiteral(".json");
    exportTo(path, isJson ? ExportFormat::Json : ExportFormat::Csv);
}

void ModelPage::exportTo(const QString& path, ExportFormat format) {
    const auto work = [contents = m_document.contents(), tensors = m_tensors->shownTensors(), format, path,
                       guard = m_services.openModels->guard()](const Progress& progress) -> Result<void> {
        WB_TRY(guard.check(fsPath(path)));
        return exportTensors(contents, tensors, format, path, progress);
    };
    m_services.jobs->start(
        tr("Exporting tensor list"), this, work,
        [this, path](const Result<void>& result) {
            if (result) emit message(tr("List saved to %1.").arg(path), false);
            else m_bar->showMessage(result.error());
        },
        false);
}

// Forms for one tensor are not offered for several.
void ModelPage::askForValues(const std::vector<std::uint32_t>& tensors) {
    const bool isOne = tensors.size() == 1;
    QString name =
        isOne ? text(m_document.contents().tensor(tensors.front()).name) : QFileInfo(m_document.title()).completeBaseName();
    name.replace(QRegularExpression(QStringLiteral("[/\\\\:*?\"<>|]")),
                 QStringLiteral("_")); // a tensor name may not be a valid file name
    const QString forms = isOne ? tr("NumPy array (*.npy);;CSV table (*.csv);;safetensors (*.safetensors)")
                                : tr("safetensors (*.safetensors);;NumPy arrays (*.npz)");
    const QString start = name + (isOne ? QStringLiteral(".npy") : QStringLiteral("-selected.safetensors"));
    const QString path = askFrom(this, [&](QWidget* window) {
        return QFileDialog::getSaveFileName(window, tr("Save values of %n tensor(s)", nullptr, static_cast<int>(tensors.size())),
                                            start, forms);
    });
    if (!path.isEmpty()) exportValues(tensors, path);
}

void ModelPage::exportValues(const std::vector<std::uint32_t>& tensors, const QString& path) {
    const auto work = [model = m_document.contents().model, chosen = std::vector<std::size_t>(tensors.begin(), tensors.end()), path,
                       guard = m_services.openModels->guard()](const Progress& progress) -> Result<void> {
        WB_TRY(guard.check(fsPath(path)));
        return formats::exportTensors(*model, chosen, fsPath(path), progress);
    };
    const auto title = [name = QFileInfo(path).fileName()] { return tr("Saving %1").arg(name); };
    m_services.jobs->start(title, this, work, [this, path](const Result<void>& result) {
        if (result) emit message(tr("Values saved to %1.").arg(shortPath(path)), false);
        else if (result.error().code != ErrorCode::Canceled) m_bar->showMessage(result.error());
    });
}

QJsonObject ModelPage::save() const {
    return {{QStringLiteral("tensors"), m_tensors->save()},
            {QStringLiteral("trend"), m_trend ? m_trend->save() : m_trendState},
            {QStringLiteral("map"), m_view ? m_view->save() : m_viewState},
            {QStringLiteral("side"), m_sides->currentIndex()},
            {QStringLiteral("detail"), m_details->currentIndex()},
            {QStringLiteral("logarithmic"), m_numbers->isLogarithmic()},
            {QStringLiteral("columns"), stateText(m_columns)},
            {QStringLiteral("rows"), stateText(m_rows)}};
}

void ModelPage::restore(const QJsonObject& state) {
    if (state.isEmpty()) return;
    m_tensors->restore(state.value(QStringLiteral("tensors")).toObject());
    m_trendState = state.value(QStringLiteral("trend")).toObject();
    if (m_trend) m_trend->restore(m_trendState);
    m_viewState = state.value(QStringLiteral("map")).toObject();
    if (m_view) m_view->restore(m_viewState);
    m_sides->setCurrentIndex(state.value(QStringLiteral("side")).toInt());
    m_details->setCurrentIndex(state.value(QStringLiteral("detail")).toInt());
    m_numbers->setLogarithmic(state.value(QStringLiteral("logarithmic")).toBool());
    restoreSplitter(m_columns, state.value(QStringLiteral("columns")));
    restoreSplitter(m_rows, state.value(QStringLiteral("rows")));
}

} // namespace wb::ui::inspect
