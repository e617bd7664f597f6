// SPDX-License-Identifier: MIT
#include "ui/convert/wizard.h"

#include "ui/convert/folder/conversion_run_plan.h"
#include "ui/convert/quantize/quantize_run_plan.h"

#include <QFileInfo>

#include <utility>

namespace wb::ui::convert {

Wizard::Wizard(Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_plans(services, m_choices), m_speeds(services),
      m_budget(services, m_choices, m_plans), m_mixes(services, m_choices, m_plans, m_budget), m_runs(services) {
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
    connect(&m_runs, &RunSession::failureChanged, this, &Wizard::setFailure);
    connect(&m_runs, &RunSession::ended, this, &Wizard::onRunEnded);
}

void Wizard::openModel(const QString& path, const QString& planText) {
    if (m_step == Step::Run) return;
    reset();
    m_step = Step::Plan;
    m_plans.open(path, {planText, {}, false});
}

void Wizard::showPlan() {
    if (m_step == Step::Run) return;
    backToPlan();
    m_plans.checkFiles();
}

void Wizard::closeModel() {
    reset();
    emit changed();
}

void Wizard::reset() {
    m_budget.stop();
    m_mixes.clear();
    m_speeds.stop();
    m_runs.clear();
    m_plans.close();
    m_choices.clear();
    m_step = Step::Choose;
    m_failure.clear();
    m_target.reset();
    m_isTargetOfRun = false;
    m_resumed.reset();
    emit choiceMade();
}

// A required plan that is none closes the session.
void Wizard::setFailure(const Sentence& failure) {
    m_failure = failure;
    if (!failure.text().isEmpty()) m_resumed.reset();
    if (m_step == Step::Plan && !m_plans.isOpen()) m_step = Step::Choose;
    emit changed();
}

void Wizard::onPlanned() {
    const auto resumed = std::exchange(m_resumed, {});
    if (resumed) startRun(resumed->target, resumed->replace);
    else m_speeds.measure(m_plans.plan());
}

QString Wizard::target() const {
    if (m_target) return *m_target;
    const auto plan = m_plans.plan();
    if (!plan) return {};
    return suggestedTarget(*plan, m_choices.request().types.empty() ? typeText(*plan) : QStringLiteral("mixed"));
}

void Wizard::setTarget(const QString& target) {
    m_target = target;
    m_isTargetOfRun = false;
}

bool Wizard::hasPlan() const {
    return m_step == Step::Plan && m_plans.isCurrent() && !m_budget.isMeasuring() && m_plans.plan()->canExecute();
}

bool Wizard::canRun() const { return hasPlan() && m_budget.isMet(); }

std::shared_ptr<const RunPlan> Wizard::runPlan() const {
    if (const auto plain = m_plans.plain()) return conversionRunPlan(plain, m_plans.path(), m_plans.planText(), m_services);
    return quantizeRunPlan(m_plans.plan(), m_plans.path(), m_plans.planText(), m_services);
}

void Wizard::checkRun(const QString& target) {
    if (canRun()) m_runs.check(runPlan(), target);
}

void Wizard::run(const QString& target, bool replace) {
    if (canRun()) startRun(target, replace);
}

void Wizard::startRun(const QString& target, bool replace) {
    m_step = Step::Run;
    emit choiceMade();
    m_runs.start(runPlan(), target, replace);
}

void Wizard::resume(const UnfinishedRun& run) {
    if (m_step == Step::Run) return;
    reset();
    m_step = Step::Plan;
    m_resumed = run;
    m_target = run.target;
    m_isTargetOfRun = true;
    m_plans.open(run.model, {run.plan, QFileInfo(run.target).fileName(), true});
}

void Wizard::onRunEnded() {
    m_step = m_runs.outcome() ? Step::Result : Step::Plan;
    emit choiceMade();
    m_speeds.measure(m_plans.plan()); // a run that was continued began before that
}

void Wizard::backToPlan() {
    if (m_step != Step::Result) return;
    m_step = Step::Plan;
    emit choiceMade();
    emit changed();
}

} // namespace wb::ui::convert
