// SPDX-License-Identifier: MIT
#include "ui/convert/quantize/budget_session.h"

#include "core/arch/model_spec.h"
#include "core/convert/quantize/budget_plan.h"
#include "core/memory/serving/caches.h"
#include "core/memory/serving/compute_buffers.h"
#include "core/memory/estimate.h"
#include "core/memory/cards/memories.h"
#include "core/memory/serving/recurrent.h"
#include "core/quant/backend.h"
#include "ui/convert/size_edit.h"
#include "ui/shell/services/devices.h"
#include "ui/widgets/numbers.h"

#include <QFileInfo>

#include <algorithm>
#include <limits>

namespace wb::ui::convert {

using namespace wb::quantize;

namespace {

constexpr quint64 usualBuffers = 256ull << 20; // bytes of the runtime, for a model that does not specify enough

// The error of a device. That it was slower than the CPU is no fault.
std::vector<Error> remarksFaults(const std::vector<Problem>& remarks) {
    std::vector<Error> faults;
    for (const Problem& remark : remarks)
        if (remark.severity != Severity::Note) faults.push_back(asError(ErrorCode::Internal, remark));
    return faults;
}

} // namespace

struct BudgetSession::Measurement {
    Result<BudgetPlan> plan;
    std::vector<Error> faults; // of the device
};

BudgetSession::BudgetSession(const Services& services, QuantizeChoices& choices, const PlanSession& plans)
    : m_services(services), m_choices(choices), m_plans(plans), m_job(services.jobs), m_memoryJob(services.jobs) {
    connect(&m_choices, &QuantizeChoices::changed, this, &BudgetSession::stop);
}

void BudgetSession::proposeMemory() {
    const auto work = [devices = memoryLister(m_services.devices)](const Progress&) -> Result<quint64> {
        return memory::usableBytes(memory::roomiest(memory::memoriesHere(devices)));
    };
    const auto done = [this](quint64 bytes) {
        if (!m_goal.memory.isEmpty()) return;
        Goal goal = m_goal;
        const quint64 tenths = bytes * 10 >> 30; // rounded down, so that it fits
        goal.memory = QStringLiteral("%1.%2 GiB").arg(tenths / 10).arg(tenths % 10);
        setGoal(goal);
    };
    m_memoryJob.start<quint64>(tr("Reading free memory"), work, done, [](const Error&) {}); // which does not happen
}

void BudgetSession::setGoal(const Goal& goal) {
    if (goal == m_goal) return;
    m_goal = goal;
    emit changed();
}

std::optional<quint64> BudgetSession::goalBytes() const {
    if (m_goal.kind == Goal::Kind::Mix) return std::nullopt;
    if (m_goal.kind == Goal::Kind::Size) return enteredBytes(m_goal.size);
    const auto memory = enteredBytes(m_goal.memory);
    const auto context = static_cast<quint64>(m_goal.context);
    const auto cache = cacheBytes(context);
    const quint64 rest = cache ? *cache + bufferBytes(context) : 0;
    return memory && cache && *memory > rest ? std::optional(*memory - rest) : std::nullopt;
}

bool BudgetSession::isMet() const {
    if (m_goal.kind == Goal::Kind::Mix) return true;
    const auto bytes = goalBytes();
    return bytes && m_choices.chosenSize() == ChosenSize{*bytes, m_goal.everyRow} && m_plans.plan() &&
           m_plans.plan()->fileBytes() <= *bytes;
}

void BudgetSession::chooseFitting(quint64 memoryBytes, quint64 context) {
    const auto cache = cacheBytes(context);
    const quint64 buffers = bufferBytes(context);
    if (cache && memoryBytes > *cache + buffers) return chooseUnder(memoryBytes - *cache - buffers);
    stop(); // which is for another memory
    if (!cache)
        return emit failureChanged(makeError(ErrorCode::Invalid, Reason("wizard.unknown_cache"),
                                             WB_TEXT("The model does not specify its KV cache size; choose a file size instead.")));
    emit failureChanged(makeError(ErrorCode::Invalid, Reason("wizard.memory_full"),
                                  WB_TEXT("The KV cache ({}) and compute buffers ({}) alone exceed this memory; reduce the context "
                                          "length or increase the memory."),
                                  bytesText(*cache).toStdString(), bytesText(buffers).toStdString()));
}

void BudgetSession::chooseUnder(quint64 fileBytes) {
    if (!canMeasure() || (isMeasuring() && fileBytes == m_fileBytes)) return;
    m_fileBytes = fileBytes;
    QuantizeRequest request = m_choices.request();
    request.matrix = m_plans.matrix();
    const auto work = [request, model = m_plans.model(), fileBytes, everyRow = m_goal.everyRow,
                       threads = m_services.settings->threads(),
                       quantizer = m_services.quantizer](const Progress& progress) -> Result<Measurement> {
        const std::shared_ptr<quant::Backend> backend = quantizer ? quantizer() : nullptr;
        quant::BudgetOptions options;
        options.threads = threads;
        options.backend = backend.get();
        if (everyRow) options.sampledElements = 0;
        auto plan = planBudget(model, request, fileBytes, options, progress);
        if (progress.stop.stop_requested()) return std::unexpected(canceled());
        return Measurement{std::move(plan), backend ? remarksFaults(backend->remarks()) : std::vector<Error>()};
    };
    const auto failed = [this](const Error& error) { emit failureChanged(error); };
    m_job.start<Measurement>([name = QFileInfo(m_plans.path()).fileName()] { return tr("Choosing types for %1").arg(name); }, work,
                             [this](const Measurement& measurement) { onMeasured(measurement); }, failed, true,
                             [this] { emit changed(); });
    emit failureChanged({});
    emit changed();
}

void BudgetSession::onMeasured(const Measurement& measurement) {
    if (!measurement.plan) {
        emit failureChanged(Sentence(measurement.plan.error(), measurement.faults));
        return emit changed();
    }
    const BudgetPlan& plan = *measurement.plan;
    BudgetResult result{plan.error, {}, plan.stockError, plan.exact, {}};
    if (plan.stock) result.stock = QString::fromLatin1(quant::info(plan.stock->type).name);
    for (const Error& fault : measurement.faults) result.warnings << translated(fault);
    m_choices.setByBudget(plan.request, {m_fileBytes, plan.exact}, std::move(result));
}

void BudgetSession::stop() {
    if (!isMeasuring()) return;
    m_job.cancel();
    emit changed();
}

std::optional<BudgetResult> BudgetSession::result() const { return canMeasure() ? m_choices.budgetResult() : std::nullopt; }

std::optional<quint64> BudgetSession::cacheBytes(quint64 context) const {
    const ModelPtr model = m_plans.model();
    const auto spec = model ? arch::readSpec(*model) : std::unexpected(Error{});
    if (!spec) return std::nullopt;
    const auto cache = memory::kvBytes(*spec, {.context = context});
    const std::uint64_t state = memory::stateBytes(*spec);
    if (!cache && state == 0) return std::nullopt;
    return state + cache.value_or(0);
}

int BudgetSession::usualContext() const {
    const ModelPtr model = m_plans.model();
    const auto spec = model ? arch::readSpec(*model) : std::unexpected(Error{});
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    return spec ? static_cast<int>(std::clamp<std::uint64_t>(memory::defaultContext(*spec), 1, most)) : Goal().usualContext;
}

quint64 BudgetSession::bufferBytes(quint64 context) const {
    const ModelPtr model = m_plans.model();
    const auto spec = model ? arch::readSpec(*model) : std::unexpected(Error{});
    return spec ? memory::computeBytes(*spec, {.context = context}).value_or(usualBuffers) : usualBuffers;
}

} // namespace wb::ui::convert
