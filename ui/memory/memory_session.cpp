// SPDX-License-Identifier: MIT
#include "ui/memory/memory_session.h"

#include "core/arch/family.h"
#include "core/formats/open.h"
#include "core/hub/repository.h"
#include "core/infer/memory_plan.h"
#include "core/io/byte_source.h"
#include "core/memory/open_subject.h"
#include "ui/shell/services/devices.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

#include <mutex>
#include <utility>

namespace wb::ui::memory {

using namespace wb::memory;

namespace {

constexpr std::uint64_t maxLog = 256 << 20;

} // namespace

// Changes of the file of measured loads that are not made yet, in their order. A job that was canceled for a newer one loses none
// of them, and of two that run none undoes what the other did.
class LoadChanges {
public:
    // None: all that was remembered is forgotten.
    void note(const std::vector<MeasuredLoad>& loads) {
        const std::lock_guard lock(m_mutex);
        m_clears |= loads.empty();
        if (loads.empty()) m_added.clear();
        m_added.insert(m_added.end(), loads.begin(), loads.end());
    }

    Result<void> apply(const std::filesystem::path& file) {
        const std::lock_guard writing(m_writing);
        std::vector<MeasuredLoad> added;
        bool clears = false;
        {
            const std::lock_guard lock(m_mutex);
            added = std::exchange(m_added, {});
            clears = std::exchange(m_clears, false);
        }
        if (clears) WB_TRY(clearLoads(file));
        return added.empty() ? Result<void>() : addLoads(file, added);
    }

private:
    std::mutex m_writing; // of the file
    std::mutex m_mutex;   // of the members below, never locked during disk access
    bool m_clears = false;
    std::vector<MeasuredLoad> m_added;
};

namespace {

using OpenRemote = decltype(Services::openRemote);

Result<Subject> read(const QString& what, bool isPath, const OpenRemote& openRemote, unsigned threads, const Progress& progress) {
    const std::string typed = what.trimmed().toStdString();
    if (!isPath && openRemote && hub::isRemoteId(typed)) {
        WB_TRY_ASSIGN(const ModelPtr model, openRemote(typed, progress));
        return memorySubject(model);
    }
    if (!isPath && typed.find('=') != std::string::npos) {
        WB_TRY_ASSIGN(const wb::memory::Shape shape, shapeFromText(typed));
        return subjectOfShape(shape, Trust::Config);
    }
    if (!isPath) return subjectOfSize(typed);
    formats::OpenOptions options;
    options.threads = threads;
    options.progress = progress;
    return openSubject(fsPath(what), options);
}

std::string modelText(const Model& model, const char* key) {
    const Value* value = model.metadata.find(key);
    const std::string* text = value ? value->string() : nullptr;
    return text ? *text : std::string();
}

// Projectors of llama.cpp name themselves by general.type or general.architecture.
Result<Companion> readCompanion(const QString& what, bool isPath, const OpenRemote& openRemote, unsigned threads,
                                const Progress& progress) {
    ModelPtr model;
    const std::string typed = what.trimmed().toStdString();
    if (!isPath && openRemote && hub::isRemoteId(typed)) {
        WB_TRY_ASSIGN(model, openRemote(typed, progress));
    } else {
        formats::OpenOptions options;
        options.threads = threads;
        options.progress = progress;
        WB_TRY_ASSIGN(model, formats::open(fsPath(what), options));
    }
    Companion companion{.name = QString::fromStdString(io::baseName(model->path)), .bytes = storedWeights(*model, {}).total()};
    const std::string type = modelText(*model, "general.type");
    const arch::Family* const family = arch::findFamily(modelText(*model, "general.architecture"));
    if (type == "mmproj" || (family && family->isProjector)) return companion;
    const bool isAdapter = type == "adapter" || model->format == FormatId::Peft;
    companion.kind = isAdapter ? Companion::Kind::Adapter : Companion::Kind::Draft;
    if (isAdapter) return companion;
    WB_TRY_ASSIGN(companion.subject, memorySubject(model));
    return companion;
}

std::filesystem::path servicesLoadsFile(const Services& services) {
    return services.stateFolder.isEmpty() ? std::filesystem::path() : loadsFile(fsPath(services.stateFolder));
}

// The services that a worker needs.
struct Means {
    unsigned threads = 0;
    std::filesystem::path loads; // the file of measured loads
    OpenRemote openRemote;
    DeviceLister devices;
};

Means servicesMeans(const Services& services) {
    return {services.settings->threads(), servicesLoadsFile(services), services.openRemote, memoryLister(services.devices)};
}

Result<Counted> count(const QString& what, bool isPath, const Means& means, const Progress& progress) {
    Counted counted;
    WB_TRY_ASSIGN(counted.subject, read(what, isPath, means.openRemote, means.threads, progress));
    auto loads = readLoads(means.loads);
    if (loads) counted.loads = std::move(*loads);
    else counted.loadsTrouble = loads.error();
    for (const WeightType& type : weightTypes()) {
        if (progress.stop.stop_requested()) return std::unexpected(canceled());
        if (auto weights = counted.subject.weights(&type)) counted.types.push_back({&type, std::move(*weights)});
    }
    counted.memories = memoriesHere(means.devices);
    return counted;
}

} // namespace

MemorySession::MemorySession(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_job(services.jobs), m_logs(services.jobs), m_storing(services.jobs),
      m_beside(services.jobs) {
    connect(services.settings, &WorkSettings::changed, this, [this] { // the CPU engine needs memory for each thread
        recount();
        emit changed();
    });
}

void MemorySession::open(const QString& what) {
    if (what.trimmed().isEmpty()) return;
    m_what = what;
    m_failure.clear();
    const bool isPath = QFileInfo::exists(what);
    const auto work = [what, isPath, means = servicesMeans(m_services)](const Progress& progress) {
        return count(what, isPath, means, progress);
    };
    const auto failed = [this](const Error& error) { fail(error); };
    m_job.start<Counted>(
        tr("Estimating memory for %1").arg(what), work, [this](const Counted& counted) { onCounted(counted); }, failed);
    emit changed();
}

void MemorySession::fail(const Error& error) {
    m_counted.reset();
    m_estimate.reset();
    m_trained.reset();
    m_failure = error;
    emit changed();
}

void MemorySession::onCounted(const Counted& counted) {
    m_counted = counted;
    m_settings.context = defaultContext(counted.subject.spec);
    m_settings.gpuLayers = m_settings.cpuExperts = 0;
    m_settings.predictsAhead = false;
    m_settings.split.clear();
    m_settings.backend.reset();
    m_type = nullptr;
    m_measured.clear();
    m_companions.clear();
    recount();
    emit opened();
    emit changed();
}

void MemorySession::setSettings(const Settings& settings) {
    m_settings = settings;
    recount();
    emit changed();
}

void MemorySession::setTraining(const std::optional<TrainingSettings>& training) {
    m_training = training;
    recount();
    emit changed();
}

void MemorySession::setType(const WeightType* type) {
    m_type = type;
    recount();
    emit changed();
}

const Weights& MemorySession::weights() const {
    for (const TypedWeights& typed : m_counted->types)
        if (typed.type == m_type) return typed.weights;
    return m_counted->subject.stored;
}

void MemorySession::recount() {
    m_estimate.reset();
    m_trained.reset();
    if (!m_counted) return;
    m_failure.clear();
    if (m_training) recountTraining();
    else recountRunning();
}

std::vector<Memory> MemorySession::graphicsMemories() const {
    std::vector<Memory> memories;
    for (const Card* card : m_cards) memories.push_back(cardMemory(*card));
    if (!m_cards.empty() || !m_counted) return memories;
    for (const Memory& memory : m_counted->memories)
        if (memory.side == Side::Gpu) memories.push_back(memory);
    return memories;
}

void MemorySession::addCorrection() {
    m_settings.correction.reset();
    if (!m_settings.usesGpu()) m_settings.correction = loadCorrection(m_counted->loads, m_settings, "cpu");
    else if (const auto gpus = graphicsMemories(); gpus.size() == 1)
        m_settings.correction = loadCorrection(m_counted->loads, m_settings, gpus.front().name);
}

void MemorySession::recountRunning() {
    const auto gpus = graphicsMemories();
    m_settings.deviceMemory = gpus.empty() ? 0 : gpus.front().bytes;
    addCorrection();
    countCompanions();
    const bool isOwn = m_settings.runtime == Runtime::Weighbridge;
    auto result = isOwn ? infer::planMemory(m_counted->subject, m_settings, m_services.settings->threads())
                        : wb::memory::estimate(m_counted->subject, weights(), m_settings);
    if (!result) {
        m_failure = result.error();
        return;
    }
    m_rule = ruleOfThumb(m_counted->subject, weights(), m_type, *result);
    m_estimate = std::move(*result);
}

void MemorySession::recountTraining() {
    auto result = estimateTraining(m_counted->subject, *m_training);
    if (!result) {
        m_failure = result.error();
        return;
    }
    m_rule = trainingRule(*result);
    m_trained = std::move(*result);
}

Memory MemorySession::judgedMemory() const {
    return m_cards.empty() ? roomiest(m_counted->memories) : cardMemory(*m_cards.front());
}

std::vector<TypeRow> MemorySession::types() const {
    std::vector<TypeRow> rows;
    if (!m_estimate) return rows;
    const Subject& subject = m_counted->subject;
    const Memory memory = judgedMemory();
    const auto best = bestType();
    for (const TypedWeights& typed : m_counted->types) {
        TypeRow row;
        row.name = QString::fromLatin1(typed.type->name);
        if (typed.type->hasMix) row.note = typeNote(typed.type->file);
        row.bytes = typed.weights.total();
        row.bitsPerWeight = typed.weights.bitsPerWeight();
        row.published = typeDivergence(*typed.type, subject);
        row.need = planMemoryUse(subject.spec, typed.weights, m_settings).total();
        row.fit = fitNow(subject, typed.weights, m_settings, memory).verdict;
        if (best && best->type == typed.type) row.mark = tr("Recommended");
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Fit> MemorySession::fits() const {
    std::vector<Fit> rows;
    if (!isCounted() || !m_counted->subject.hasWeights()) return rows;
    const Subject& subject = m_counted->subject;
    const auto add = [&](const Memory& memory) {
        if (m_estimate && m_settings.runtime != Runtime::Weighbridge)
            rows.push_back(checkFit(subject, weights(), m_settings, memory));
        else if (m_estimate && memory.side == Side::Processor)
            rows.push_back({memory, m_estimate->total(), judge(m_estimate->total(), m_estimate->total() / 100 * 3, memory), {}});
        else if (m_estimate) return;
        else if (memory.side == Side::Gpu || m_trained->host() > 0) rows.push_back(checkFit(subject, *m_trained, memory));
    };
    for (const Memory& memory : m_counted->memories) add(memory);
    for (const Card& card : wb::memory::cards()) add(cardMemory(card));
    return rows;
}

std::optional<Placement> MemorySession::placement() const {
    const auto gpus = graphicsMemories();
    if (!m_estimate || gpus.empty() || m_settings.runtime == Runtime::Weighbridge || !m_counted->subject.hasWeights()) return {};
    return bestPlacement(m_counted->subject, weights(), m_settings, gpus, &m_counted->memories.front());
}

void MemorySession::usePlacement() {
    const auto best = placement();
    if (!best) return;
    Settings settings = best->settings;
    const std::uint64_t all = m_counted->subject.spec.trunkLayers() + 1;
    settings.gpuLayers = std::min(settings.gpuLayers, all);
    setSettings(settings);
    emit settingsReplaced();
}

void MemorySession::setCards(const std::vector<const Card*>& cards) {
    m_cards = cards;
    if (m_cards.size() < 2) m_settings.split.clear();
    recount();
    emit changed();
}

std::vector<CardChoice> MemorySession::cardChoices() const {
    if (!isCounted() || !m_counted->subject.hasWeights()) return {};
    if (m_estimate && m_settings.runtime != Runtime::Weighbridge) return cardsFor(m_counted->subject, weights(), m_settings);
    return m_trained ? cardsFor(m_counted->subject, *m_training) : std::vector<CardChoice>();
}

std::optional<TypeChoice> MemorySession::bestType() const {
    if (!m_estimate) return {};
    return typeFor(m_counted->subject, m_counted->types, m_settings, judgedMemory());
}

void MemorySession::keep() {
    KeptPlan plan;
    plan.model = QString::fromStdString(m_counted->subject.name);
    if (m_estimate) {
        plan.use = QString::fromLatin1(runtimeName(m_settings.runtime));
        plan.type = QString::fromStdString(m_estimate->type);
        plan.context = m_estimate->contextUsed;
        plan.gpu = m_estimate->plan.gpu.total();
        plan.main = m_estimate->plan.processor.total();
        plan.settings = QString::fromStdString(settingsText(m_settings));
    } else {
        plan.use = QString::fromLatin1(methodName(m_training->method));
        plan.type = QString::fromLatin1(baseName(m_training->baseUsed()));
        plan.context = m_training->sequence;
        plan.gpu = m_trained->gpu();
        plan.main = m_trained->host();
        plan.settings = QStringLiteral("batch=%1 rank=%2 zero=%3 gpus=%4")
                            .arg(m_training->batch)
                            .arg(m_training->rank)
                            .arg(m_training->zeroStage)
                            .arg(m_training->gpus);
    }
    m_kept.push_back(plan);
    emit changed();
}

void MemorySession::clearKept() {
    m_kept.clear();
    emit changed();
}

void MemorySession::addCompanion(const QString& what) {
    const auto work = [what, isPath = QFileInfo::exists(what), means = servicesMeans(m_services)](const Progress& progress) {
        return readCompanion(what, isPath, means.openRemote, means.threads, progress);
    };
    const auto done = [this](const Companion& companion) {
        std::erase_if(m_companions, [&](const Companion& other) { return other.kind == companion.kind; });
        m_companions.push_back(companion);
        recount();
        emit changed();
    };
    m_beside.start<Companion>(tr("Estimating memory for %1").arg(what), work, done,
                              [this](const Error& error) { emit troubled(error); });
}

void MemorySession::clearCompanions() {
    m_companions.clear();
    recount();
    emit changed();
}

// A draft has the settings of the model.
void MemorySession::countCompanions() {
    m_settings.projectorBytes = m_settings.loraBytes = m_settings.draftBytes = 0;
    for (const Companion& companion : m_companions) {
        if (companion.kind == Companion::Kind::Projector) m_settings.projectorBytes = companion.bytes;
        if (companion.kind == Companion::Kind::Adapter) m_settings.loraBytes = companion.bytes;
        if (companion.kind != Companion::Kind::Draft || m_settings.predictsAhead) continue;
        Settings same = m_settings;
        same.gpuLayers = m_settings.usesGpu() ? allLayers : 0;
        same.cpuExperts = same.projectorBytes = same.loraBytes = 0;
        same.split.clear();
        same.correction.reset();
        m_settings.draftBytes = planMemoryUse(companion.subject.spec, companion.subject.stored, same).total();
    }
}

void MemorySession::addLog(const QString& path) {
    const auto work = [path](const Progress&) -> Result<RuntimeLog> {
        WB_TRY_ASSIGN(const auto source, io::FileSource::open(fsPath(path)));
        if (source->size() > maxLog)
            return wb::fail(ErrorCode::TooLarge, Reason("memory.log_too_large"), About{source->name()},
                            WB_TEXT("{} is too large for a log; reduce it to the lines of a single load."), source->name());
        std::string text(static_cast<std::size_t>(source->size()), '\0');
        WB_TRY(source->readAt(0, std::as_writable_bytes(std::span(text))));
        return readRuntimeLog(text, source->name());
    };
    const auto failed = [this](const Error& error) { emit troubled(error); };
    m_logs.start<RuntimeLog>(tr("Reading %1").arg(path), work, [this](const RuntimeLog& log) { measure(log); }, failed);
}

void MemorySession::measure(const RuntimeLog& log) {
    if (!m_counted) {
        emit troubled(makeError(ErrorCode::Invalid, Reason("memory.log_without_model"),
                                WB_TEXT("A log belongs to a specific model; enter or open that model first.")));
        return;
    }
    Settings settings = log.applyTo(m_settings);
    settings.correction.reset();
    const auto estimated = wb::memory::estimate(m_counted->subject, weights(), settings);
    if (!estimated) {
        emit troubled(estimated.error());
        return;
    }
    m_measured = measuredLoads(log, *estimated, m_counted->subject.spec.architecture, today());
    mergeLoads(m_counted->loads, m_measured);
    storeLoads(m_measured);
    settings.gpuLayers = std::min<std::uint64_t>(settings.gpuLayers, m_counted->subject.spec.trunkLayers() + 1);
    setSettings(settings);
    emit settingsReplaced();
}

void MemorySession::storeLoads(const std::vector<MeasuredLoad>& loads) {
    const auto file = servicesLoadsFile(m_services);
    if (file.empty()) return;
    if (!m_loadChanges) m_loadChanges = std::make_shared<LoadChanges>();
    m_loadChanges->note(loads);
    const auto work = [file, changes = m_loadChanges](const Progress&) -> Result<bool> {
        WB_TRY(changes->apply(file));
        return true;
    };
    m_storing.start<bool>(tr("Saving measurements"), work, [](bool) {}, [this](const Error& error) { emit troubled(error); });
}

void MemorySession::clearMeasured() {
    if (!m_counted) return;
    m_counted->loads.clear();
    m_measured.clear();
    storeLoads({});
    recount();
    emit changed();
}

QByteArray MemorySession::measuredCsv() const {
    return m_counted ? QByteArray::fromStdString(loadsCsv(m_counted->loads)) : QByteArray();
}

std::vector<Advice> MemorySession::advice() const {
    if (m_estimate) return adviceFor(m_counted->subject, m_type, m_settings);
    return m_trained ? adviceFor(m_counted->subject, *m_trained) : std::vector<Advice>();
}

Result<std::vector<ExportedFile>> MemorySession::exported(ExportTarget target) const {
    ExportedModel model;
    const QFileInfo file(m_what);
    model.predictsAhead = m_counted->subject.spec.predictionLayers > 0;
    const bool isGguf = m_counted->subject.model->format == FormatId::Gguf;
    if (file.exists()) {
        model.id = file.absoluteFilePath().toStdString();
        model.isGguf = isGguf;
    } else if (const auto id = hub::parseRemoteId(m_what.trimmed().toStdString())) {
        model.id = id->repository.name;
        model.isModelScope = id->repository.hub == hub::Hub::ModelScope;
        model.isGguf = isGguf;
    }
    return m_estimate ? exportInference(target, model, *m_estimate, 1) : exportTraining(target, model, *m_trained);
}

} // namespace wb::ui::memory
