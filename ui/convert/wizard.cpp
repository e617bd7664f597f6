// SPDX-License-Identifier: MIT
#include "ui/convert/wizard.h"

#include "ui/convert/quantize/plan_text.h"
#include "ui/convert/queue/planned_run.h"
#include "ui/widgets/paths.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace wb::ui::convert {

Wizard::Wizard(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_plans(services, m_choices), m_speeds(services),
      m_budget(services, m_choices, m_plans), m_mixes(services, m_choices, m_plans, m_budget), m_runs(services),
      m_queue(services, m_runs), m_checkingMixes(services.jobs), m_lookingForKept(services.jobs) {
    connect(&m_choices, &QuantizeChoices::changed, this, [this] {
        m_resumed.reset();
        m_runs.cancelCheck();
        if (std::exchange(m_isTargetOfRun, false)) m_target.reset();
        emit choiceMade();
    });
    connect(&m_plans, &PlanSession::changed, this, &Wizard::changed);
    connect(&m_plans, &PlanSession::failureChanged, this, &Wizard::setFailure);
    connect(&m_plans, &PlanSession::planned, this, &Wizard::onPlanned);
    connect(&m_plans, &PlanSession::filesChanged, this, [this] { openModel(m_plans.path(), m_plans.planText()); });
    connect(&m_speeds, &SpeedEstimate::changed, this, &Wizard::changed);
    connect(&m_budget, &BudgetSession::changed, this, &Wizard::changed);
    connect(&m_budget, &BudgetSession::failureChanged, this, &Wizard::setFailure);
    connect(&m_runs, &RunSession::changed, this, &Wizard::changed);
    connect(&m_runs, &RunSession::checkFailed, this, &Wizard::setFailureOfTarget);
    connect(&m_queue, &RunQueue::changed, this, &Wizard::changed);
    connect(&m_queue, &RunQueue::ended, this, &Wizard::onRunEnded);
    connect(&m_queue, &RunQueue::notSaved, this, &Wizard::setFailure);
    connect(services.settings, &WorkSettings::changed, this, [this] {
        if (m_step == Step::Plan && m_plans.plan()) m_speeds.measure(m_plans.plan());
        emit changed();
    });
}

void Wizard::openModel(const QString& path, const QString& planText) {
    reset();
    m_step = Step::Plan;
    m_plans.open(path, {planText, {}, false});
}

void Wizard::showPlan() {
    if (m_step == Step::Run) leaveRuns();
    else backToPlan();
    m_plans.checkFiles();
}

void Wizard::closeModel() {
    reset();
    emit changed();
}

void Wizard::reset() {
    m_budget.stop();
    m_mixes.clear();
    m_checkingMixes.cancel();
    m_lookingForKept.cancel();
    m_speeds.stop();
    m_runs.clear();
    m_plans.close();
    m_choices.clear();
    m_step = Step::Choose;
    m_failure.clear();
    m_target.reset();
    m_isTargetOfRun = false;
    m_resumed.reset();
    m_ownRun = 0;
    m_kept.reset();
    emit choiceMade();
}

void Wizard::setFailureOfTarget(const Sentence& failure) {
    setFailure(failure);
    m_isFailureOfTarget = !failure.text().isEmpty();
}

// A required plan that is none closes the session.
void Wizard::setFailure(const Sentence& failure) {
    m_failure = failure;
    m_isFailureOfTarget = false;
    if (!failure.text().isEmpty()) m_resumed.reset();
    if (m_step == Step::Plan && !m_plans.isOpen()) m_step = Step::Choose;
    emit changed();
}

void Wizard::onPlanned() {
    const auto resumed = std::exchange(m_resumed, {});
    if (resumed) startRun(targetPath(*resumed), resumed->record.replace);
    else m_speeds.measure(m_plans.plan());
}

QString Wizard::target() const {
    if (m_target) return *m_target;
    const auto plan = m_plans.plan();
    if (!plan) return {};
    return suggestedTarget(*plan->model, planName());
}

// The output of the plan, in one word. Choices for two sizes are two files.
QString Wizard::planName() const {
    const auto plan = m_plans.plan();
    if (m_choices.request().copies == quantize::CopyMode::Join) return QStringLiteral("joined");
    if (m_choices.request().copies == quantize::CopyMode::Keep) return QStringLiteral("split");
    if (m_choices.request().types.empty()) return typeText(*plan);
    if (!m_budget.result()) return QStringLiteral("mixed");
    constexpr quint64 kilo = 1000, mega = 1'000'000;
    const quint64 bytes = plan->fileBytes();
    return bytes < 10 * mega ? QStringLiteral("mixed-%1KB").arg(bytes / kilo) : QStringLiteral("mixed-%1MB").arg(bytes / mega);
}

void Wizard::setTarget(const QString& target) {
    m_target = target;
    m_isTargetOfRun = false;
    if (std::exchange(m_isFailureOfTarget, false)) setFailure({}); // it was about another one
}

bool Wizard::hasPlan() const {
    return m_step == Step::Plan && m_plans.isCurrent() && !m_budget.isMeasuring() && m_plans.plan()->canExecute();
}

bool Wizard::canRun() const { return hasPlan() && m_budget.isMet(); }

void Wizard::checkRun(const QString& target) {
    if (!canRun()) return;
    if (!m_queue.has(target)) return m_runs.check(m_plans.job(), target);
    setFailureOfTarget(
        tr("A queued job already writes to %1; choose another name or remove that job.").arg(QFileInfo(target).fileName()));
}

QueuedRun Wizard::thisRun(const QString& target, bool replace) const {
    QueuedRun run;
    run.model = m_plans.path();
    run.type = planName();
    run.target = target;
    run.plan = m_plans.planText();
    run.replace = replace;
    run.job = m_plans.job();
    return run;
}

void Wizard::run(const QString& target, bool replace) {
    if (!canRun()) return;
    if (m_queue.isBusy()) queue({thisRun(target, replace)});
    else startRun(target, replace);
}

void Wizard::startRun(const QString& target, bool replace) {
    m_runs.cancelCheck();
    m_step = Step::Run;
    m_failure.clear();
    forgetKept();
    emit choiceMade();
    m_ownRun = m_queue.runNow(thisRun(target, replace));
}

void Wizard::checkMixes(const std::vector<quant::FileType>& types) {
    if (!m_plans.model() || types.empty()) return;
    wb::convert::GgufRequest request = m_plans.request();
    request.quantize.types.clear();
    using Runs = QList<PlannedRun>;
    const auto work = [request, types, state = m_services.stateFolder](const Progress& progress) {
        return planMixes(request, types, state, progress);
    };
    const auto done = [this](const Runs& runs) { emit mixesChecked(runs); };
    m_checkingMixes.start<Runs>(tr("Planning"), work, done, [this](const Error& error) { setFailure(error); });
}

void Wizard::queue(const QList<QueuedRun>& runs) {
    QList<QueuedRun> added;
    QStringList refused;
    for (const QueuedRun& run : runs) {
        if (m_queue.has(run.target)) refused << QFileInfo(run.target).fileName();
        else added << run;
    }
    const bool wasBusy = m_queue.isBusy();
    emit choiceMade();
    setFailure(refused.isEmpty() ? Sentence() : Sentence(tr("Already queued: %1.").arg(refused.join(QStringLiteral(", ")))));
    if (added.isEmpty()) return;
    m_queue.add(added);
    if (!wasBusy) showRuns();
}

quint64 Wizard::runBeside(const QueuedRun& run) {
    if (m_queue.isBusy()) {
        queue({run});
        return 0;
    }
    m_runs.cancelCheck();
    m_failure.clear();
    forgetKept();
    showRuns();
    return m_queue.runNow(run);
}

void Wizard::endBeside(quint64 id) {
    const bool goesOn = goesOnInQueue(id);
    if (!m_runs.outcome()) m_queue.remove(id); // the Jobs page lists those that are done
    if (!goesOn) leaveRuns();
}

void Wizard::showRuns() {
    if (m_step == Step::Run) return;
    m_step = Step::Run;
    emit choiceMade();
    emit changed();
}

// A run that continues without its page has no page for its result; the queue shows how it ended.
void Wizard::leaveRuns() {
    if (m_step != Step::Run) return;
    m_ownRun = 0;
    m_step = m_plans.isOpen() ? Step::Plan : Step::Choose;
    emit choiceMade();
    emit changed();
}

void Wizard::resume(const UnfinishedRun& run) {
    if (m_queue.isBusy()) {
        QueuedRun again;
        again.model = sourcePath(run);
        again.type = QJsonDocument::fromJson(QByteArray::fromStdString(run.record.plan))[QLatin1String("type")].toString();
        again.target = targetPath(run);
        again.plan = planText(run);
        again.replace = run.record.replace;
        return queue({again});
    }
    reset();
    m_step = Step::Plan;
    m_resumed = run;
    m_target = targetPath(run);
    m_isTargetOfRun = true;
    m_plans.open(sourcePath(run), {planText(run), QFileInfo(*m_target).fileName(), true});
}

// Others follow the run that has ended, or are paused because it was canceled.
bool Wizard::goesOnInQueue(quint64 id) const {
    const bool isStopped = !m_runs.outcome() && m_runs.failure().text().isEmpty();
    if (m_queue.isHeld() && !isStopped) return false;
    return std::ranges::any_of(m_queue.runs(), [id](const QueuedRun& run) { return run.id != id && run.isOpen(); });
}

// The run of one plan leads to its result, or back; a queue of several stays on its page.
void Wizard::onRunEnded(quint64 id) {
    if (std::exchange(m_ownRun, 0) != id || m_step != Step::Run || goesOnInQueue(id)) return;
    m_step = m_runs.outcome() ? Step::Result : Step::Plan;
    emit choiceMade();
    if (m_step == Step::Plan) m_queue.remove(id); // the Jobs page lists those that are done
    setFailureOfTarget(m_runs.failure());
    if (m_step == Step::Plan) lookForKept();
    m_speeds.measure(m_plans.plan()); // a run that was continued began before that
}

// A separate job, because the whole journal is read.
void Wizard::lookForKept() {
    using Kept = std::optional<UnfinishedRun>;
    const auto work = [target = m_runs.target(), state = m_services.stateFolder](const Progress&) -> Result<Kept> {
        return unfinishedRunTo(target, state);
    };
    const auto done = [this](const Kept& kept) {
        if (kept && kept->canResume) m_kept = kept;
        emit changed();
    };
    m_lookingForKept.start<Kept>(tr("Checking for unfinished jobs"), work, done, [](const Error&) {}); // which does not happen
}

void Wizard::forgetKept() {
    m_lookingForKept.cancel();
    if (std::exchange(m_kept, std::nullopt)) emit changed();
}

void Wizard::backToPlan() {
    if (m_step != Step::Result) return;
    m_step = Step::Plan;
    emit choiceMade();
    emit changed();
}

} // namespace wb::ui::convert
