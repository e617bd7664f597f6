// SPDX-License-Identifier: MIT
#include "ui/convert/wizard.h"

#include "core/base/text.h"
#include "core/formats/open.h"
#include "core/arch/model_spec.h"
#include "core/memory/compute_buffers.h"
#include "core/memory/kv_cache.h"
#include "core/memory/recurrent.h"
#include "core/quant/backend.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace wb::ui::convert {

using namespace wb::convert;

namespace {

constexpr quint64 usualBuffers = 256ull << 20; // of the runtime for a model that does not say enough
constexpr double calibrationSeconds = 1;
constexpr std::size_t mostUndone = 100; // choices; each may name every tensor

Result<ModelPtr> openStrictly(const QString& path, unsigned threads, const Progress& progress) {
    formats::OpenOptions options;
    options.strictness = formats::Strictness::Strict;
    options.threads = threads;
    options.progress = progress;
    return formats::open(fsPath(path), options);
}

bool isUnchanged(const Model& model) {
    for (std::uint32_t file = 0; file < model.files.size(); ++file)
        if (!wb::openFile(model, file)) return false;
    return true;
}

// A plan names the type of every tensor; chosen are those that its mix would not give.
std::map<std::string, Dtype> ownTypes(const ModelPtr& model, QuantizeRequest request) {
    auto types = std::exchange(request.types, {});
    const auto usual = planQuantize(model, std::move(request));
    if (!usual) return types;
    for (const PlannedTensor& tensor : usual->tensors) {
        const auto chosen = types.find(usual->model->tensors[tensor.source].name);
        if (chosen != types.end() && chosen->second == tensor.to) types.erase(chosen);
    }
    return types;
}

// What a device did wrong; that it was slower than the CPU is no fault.
std::vector<Error> faults(const std::vector<Problem>& remarks) {
    std::vector<Error> found;
    for (const Problem& remark : remarks)
        if (remark.severity != Severity::Note) found.push_back(asError(ErrorCode::Internal, remark));
    return found;
}

QStringList warnings(const std::vector<Problem>& remarks) {
    QStringList sentences;
    for (const Error& fault : faults(remarks)) sentences << translated(fault);
    return sentences;
}

QString quoted(const std::string& text) { return QString::fromStdString(shellWord(text)); }

QStringList optionsBesideTypes(const QuantizeRequest& request) {
    QStringList options;
    for (const KeyOverride& override : request.overrides) options << QStringLiteral("--override-kv ") + quoted(textOf(override));
    QStringList layers;
    for (const std::uint32_t layer : request.prune) layers << QString::number(layer);
    if (!layers.isEmpty()) options << QStringLiteral("--prune-layers ") + layers.join(u',');
    return options;
}

} // namespace

// What a planning job gives back.
struct Wizard::Planned {
    ModelPtr model;
    std::shared_ptr<const quant::Imatrix> matrix;
    QuantizeRequest request;
    std::shared_ptr<const QuantizePlan> plan;
    bool fits = false;    // the plan that was taken up was made for this model
    bool changed = false; // some types are not those of the mix
};

Wizard::Wizard(Services& services, QObject* parent) : QObject(parent), m_services(services) {}

void Wizard::openModel(const QString& path, const QString& plan) {
    if (m_step == Step::Run) return;
    closeModel();
    m_modelPath = path;
    m_step = Step::Plan;
    if (auto kept = parsePlan(plan.toStdString(), {}); kept && !plan.isEmpty()) {
        m_sessionPlan = plan;
        takeUp(std::move(*kept));
    }
    replan();
}

bool Wizard::isOf(const QString& path) const {
    return !m_modelPath.isEmpty() &&
           (path == m_modelPath || (QFileInfo::exists(path) && QFileInfo(path) == QFileInfo(m_modelPath)));
}

void Wizard::showPlan() {
    if (m_step == Step::Run) return;
    backToPlan();
    if (!m_model || !isUnchanged(*m_model)) openModel(QString(m_modelPath), planText());
}

// A plan of an earlier time, to be checked once the model is open.
void Wizard::takeUp(PlanFile plan) {
    m_request = plan.request;
    m_matrix = plan.matrix;
    m_takenUp = std::move(plan);
}

void Wizard::closeModel() {
    stopMeasuring();
    ++m_serial;
    for (const auto& job : {m_planJob, m_calibrationJob})
        if (job) job->cancel();
    m_planJob.reset();
    m_calibrationJob.reset();
    m_step = Step::Choose;
    m_failure.clear();
    m_modelPath.clear();
    m_chosenTarget.reset();
    m_model.reset();
    m_plan.reset();
    m_gain.reset();
    m_request = {};
    m_matrix = {};
    m_readMatrix.reset();
    m_undone.clear();
    m_redone.clear();
    m_takenUp.reset();
    m_sessionPlan.clear();
    m_remark.clear();
    m_resumedRun.reset();
    m_outcome.reset();
    emit changed();
}

bool Wizard::hasChoices() const {
    const quant::MixOptions usual;
    const bool isUsual = m_request.mix.fileType == usual.fileType && !m_request.mix.pure && !m_request.mix.copy &&
                         !m_request.allowRequantize && !m_request.keepSplit && m_request.types.empty() &&
                         m_request.overrides.empty() && m_request.prune.empty() && m_matrix.isNone();
    return m_step == Step::Plan && !isUsual;
}

void Wizard::setMix(quant::FileType type) {
    remember();
    m_request.mix.fileType = type;
    m_request.mix.copy = false;
    m_request.types.clear();
    m_gain.reset();
    replan();
}

void Wizard::setMatrix(const QString& path) {
    if (path == matrixPath()) return;
    remember();
    m_matrix = {.path = path.toStdString()}; // a filter was for the one before
    m_readMatrix.reset();
    m_gain.reset();
    replan();
}

void Wizard::setAllowRequantize(bool allow) {
    remember();
    m_request.allowRequantize = allow;
    replan();
}

void Wizard::setKeepSplit(bool keep) {
    remember();
    m_request.keepSplit = keep;
    replan();
}

void Wizard::setPure(bool pure) {
    remember();
    if (std::exchange(m_request.mix.copy, false))
        m_request.mix.fileType = quant::MixOptions().fileType; // a copy has no type of its own
    m_request.mix.pure = pure;
    m_request.types.clear();
    m_gain.reset();
    replan();
}

void Wizard::setTypes(const std::vector<std::string>& tensors, std::optional<Dtype> type) {
    if (tensors.empty()) return;
    remember();
    for (const std::string& tensor : tensors) {
        if (type) m_request.types[tensor] = *type;
        else m_request.types.erase(tensor);
    }
    m_gain.reset();
    replan();
}

// What is being measured is meant for the choices as they were.
void Wizard::remember() {
    stopMeasuring();
    m_undone.push_back(choices());
    m_redone.clear();
    if (m_undone.size() > mostUndone) m_undone.erase(m_undone.begin());
}

void Wizard::undo() {
    if (canUndo()) takeBack(m_undone, m_redone);
}

void Wizard::redo() {
    if (canRedo()) takeBack(m_redone, m_undone);
}

void Wizard::takeBack(std::vector<Choices>& from, std::vector<Choices>& to) {
    to.push_back(choices());
    Choices choices = std::move(from.back());
    from.pop_back();
    setChoices(std::move(choices));
}

void Wizard::setChoices(Choices choices) {
    stopMeasuring();
    if (choices.matrix != m_matrix) m_readMatrix.reset();
    m_request = std::move(choices.request);
    m_matrix = std::move(choices.matrix);
    m_gain = std::move(choices.gain);
    replan();
}

void Wizard::loadPlan(const QString& path) {
    if (m_step != Step::Plan || !m_model) return;
    auto plan = readPlan(fsPath(path));
    if (!plan) return fail(plan.error());
    if (const auto fits = checkPlanFits(*plan, *m_model); !fits) return fail(fits.error());
    remember();
    m_takenUp = *plan;
    setChoices({std::move(plan->request), std::move(plan->matrix), {}});
}

// Opens what is not open yet and plans; a later call makes the answer of this one void.
void Wizard::replan() {
    if (m_modelPath.isEmpty()) return;
    const quint64 serial = ++m_serial;
    if (m_planJob) m_planJob->cancel();
    const auto planned = std::make_shared<Planned>(Planned{m_model, m_readMatrix, m_request, nullptr, false, false});
    const auto work = [planned, path = m_modelPath, matrix = m_matrix, takenUp = m_takenUp,
                       threads = m_services.threads](const Progress& progress) -> Result<void> {
        if (!planned->model) {
            WB_TRY_ASSIGN(planned->model, openStrictly(path, threads, progress));
        }
        if (takenUp) WB_TRY(checkPlanFits(*takenUp, *planned->model));
        planned->fits = true;
        if (!planned->matrix && !matrix.isNone()) {
            WB_TRY_ASSIGN(planned->matrix, readMatrix(matrix, progress));
        }
        QuantizeRequest request = planned->request;
        request.matrix = planned->matrix;
        if (!request.types.empty()) {
            auto own = ownTypes(planned->model, request);
            planned->changed = !own.empty();
            if (takenUp) planned->request.types = request.types = std::move(own);
        }
        WB_TRY_ASSIGN(QuantizePlan plan, planQuantize(planned->model, std::move(request)));
        planned->plan = std::make_shared<const QuantizePlan>(std::move(plan));
        return {};
    };
    m_planJob = m_services.jobs->start(
        tr("Planning"), this, work, [this, serial, planned](const Result<void>& result) { takePlanned(serial, result, *planned); },
        false);
    emit changed();
}

void Wizard::takePlanned(quint64 serial, const Result<void>& result, const Planned& planned) {
    if (serial != m_serial) return;
    m_planJob.reset();
    m_model = planned.model;
    m_readMatrix = planned.matrix;
    m_isStale = !result;
    if (m_takenUp && result) m_request.types = planned.request.types;
    if (result) m_plan = planned.plan;
    if (result) m_isChanged = planned.changed;
    m_failure = result ? m_remark : Sentence(result.error());
    m_remark.clear();
    const auto resumed = std::exchange(m_resumedRun, {});
    const bool misfits = m_takenUp && planned.model && !planned.fits;
    if (misfits && !resumed && !m_plan) return startAnew();
    if (result || misfits) m_takenUp.reset(); // else what the choices need may come back
    if (result && resumed) startRun(resumed->target, resumed->replace);
    else if (result) calibrate();
    emit changed();
}

// The plan of the last session does not fit what lies there now, which is said beside the new plan.
void Wizard::startAnew() {
    m_remark = m_failure;
    m_takenUp.reset();
    m_sessionPlan.clear();
    m_request = {};
    m_matrix = {};
    m_readMatrix.reset();
    replan();
}

// Speeds of types that were measured before are kept as long as they are those of a run that would begin now.
void Wizard::calibrate() {
    const Measured now{m_plan->matrix != nullptr, m_services.threads, m_services.device};
    if (std::exchange(m_speedsOf, now) != now) m_speeds.clear();
    if (knowsSpeeds()) return;
    if (m_calibrationJob) m_calibrationJob->cancel();
    const auto speeds = std::make_shared<Speeds>();
    const auto work = [speeds, plan = m_plan, threads = m_services.threads,
                       quantizer = m_services.quantizer](const Progress& progress) -> Result<void> {
        std::shared_ptr<quant::Backend> backend = quantizer ? quantizer() : nullptr;
        if (!backend) backend = quant::makeCpuBackend();
        *speeds = wb::convert::calibrate(*plan, *backend, threads, calibrationSeconds, progress.stop);
        if (progress.stop.stop_requested()) return std::unexpected(cancelled());
        return {};
    };
    const auto done = [this, speeds](const Result<void>& result) {
        if (!result) return;
        m_calibrationJob.reset();
        for (const auto& [type, speed] : *speeds) m_speeds[type] = speed;
        emit changed();
    };
    m_calibrationJob = m_services.jobs->start(tr("Measuring the speed"), this, work, done, false);
}

bool Wizard::knowsSpeeds() const {
    const auto isKnown = [this](const PlannedTensor& tensor) { return tensor.copied() || m_speeds.contains(tensor.to); };
    return std::ranges::all_of(m_plan->tensors, isKnown);
}

bool Wizard::canRun() const { return m_plan && !m_isStale && !isPlanning() && !isMeasuring() && m_plan->canExecute(); }

double Wizard::estimatedSeconds() const {
    if (!m_plan || !knowsSpeeds()) return -1;
    return estimateSeconds(*m_plan, m_speeds);
}

std::optional<quint64> Wizard::cacheBytes(quint64 context) const {
    const auto spec = m_model ? arch::readSpec(*m_model) : std::unexpected(Error{});
    if (!spec) return std::nullopt;
    const auto cache = memory::kvBytes(*spec, context);
    const std::uint64_t state = memory::stateBytes(*spec);
    if (!cache && state == 0) return std::nullopt;
    return state + cache.value_or(0);
}

quint64 Wizard::bufferBytes(quint64 context) const {
    const auto spec = m_model ? arch::readSpec(*m_model) : std::unexpected(Error{});
    return spec ? memory::computeBytes(*spec, context).value_or(usualBuffers) : usualBuffers;
}

void Wizard::chooseFitting(quint64 memoryBytes, quint64 context) {
    const auto cache = cacheBytes(context);
    const quint64 buffers = bufferBytes(context);
    if (cache && memoryBytes > *cache + buffers) return measure(memoryBytes - *cache - buffers);
    stopMeasuring(); // which is for another memory
    if (!cache)
        return fail(makeError(ErrorCode::Invalid, Reason("wizard.unknown_cache"),
                              WB_TEXT("This model does not say how large its cache is; choose a size of the file instead.")));
    fail(makeError(ErrorCode::Invalid, Reason("wizard.memory_full"),
                   WB_TEXT("The cache ({}) and the buffers ({}) alone fill this memory; choose fewer tokens or more memory."),
                   bytesText(*cache).toStdString(), bytesText(buffers).toStdString()));
}

void Wizard::chooseUnder(quint64 fileBytes) { measure(fileBytes); }

void Wizard::measure(quint64 fileBytes) {
    if (!canMeasure() || (isMeasuring() && fileBytes == m_measuredFor)) return;
    stopMeasuring();
    m_measuredFor = fileBytes;
    m_failure.clear();
    const auto found = std::make_shared<BudgetPlan>();
    const auto remarks = std::make_shared<std::vector<Problem>>();
    QuantizeRequest request = m_request;
    request.matrix = m_readMatrix;
    const auto work = [found, remarks, request, model = m_model, fileBytes, exact = m_everyRow, threads = m_services.threads,
                       quantizer = m_services.quantizer](const Progress& progress) -> Result<void> {
        quant::BudgetOptions options;
        options.threads = threads;
        if (exact) options.sampledElements = 0;
        const std::shared_ptr<quant::Backend> backend = quantizer ? quantizer() : nullptr;
        options.backend = backend.get();
        auto plan = planBudget(model, request, fileBytes, options, progress);
        if (backend) *remarks = backend->remarks();
        WB_TRY_ASSIGN(*found, std::move(plan));
        return {};
    };
    const auto done = [this, found, remarks, serial = ++m_measureSerial](const Result<void>& result) {
        if (serial != m_measureSerial) return;
        m_measureJob.reset();
        if (!result && result.error().code != ErrorCode::Cancelled) return fail(Sentence(result.error(), faults(*remarks)));
        if (!result) return emit changed();
        remember();
        m_request = found->request;
        m_request.matrix.reset();
        m_gain = Gain{found->error, {}, found->stockError, found->exact, warnings(*remarks)};
        if (found->stock) m_gain->stock = QString::fromLatin1(quant::info(found->stock->type).name);
        replan();
    };
    m_measureJob = m_services.jobs->start(tr("Choosing types for %1").arg(QFileInfo(m_modelPath).fileName()), this, work, done);
    emit changed();
}

void Wizard::stopMeasuring() {
    if (!m_measureJob) return;
    ++m_measureSerial;
    m_measureJob->cancel();
    m_measureJob.reset();
    emit changed();
}

void Wizard::fail(const Sentence& sentence) {
    m_failure = sentence;
    emit changed();
}

Result<std::string> Wizard::savedPlan() const { return planJson(*m_plan, m_request, m_matrix); }

QString Wizard::planText() const {
    if (!m_plan) return m_sessionPlan;
    const auto text = savedPlan();
    return text ? QString::fromStdString(*text) : QString();
}

QString Wizard::typeText() const {
    return QString::fromLatin1(quant::targetName(m_plan->fileType, m_plan->copy));
}

// The mix, a rule for every kind of tensor that was given a type of its own, and what a kept plan sets or leaves out.
QString Wizard::optionsText() const {
    if (!m_plan) return {};
    std::vector<std::pair<std::string, Dtype>> chosen;
    for (const PlannedTensor& tensor : m_plan->tensors) {
        const TensorInfo& source = m_plan->model->tensors[tensor.source];
        if (!tensor.kept && m_request.types.contains(source.name)) chosen.emplace_back(source.storedName(), tensor.to);
    }
    QStringList parts = optionsBesideTypes(m_request);
    if (m_request.mix.pure) parts << QStringLiteral("--pure");
    for (const quant::TensorTypeRule& rule : quant::rulesFor(chosen))
        parts << QStringLiteral("--tensor-type ") + quoted(fmt::format("{}={}", rule.pattern, name(rule.type)));
    parts << typeText();
    return parts.join(u' ');
}

} // namespace wb::ui::convert
