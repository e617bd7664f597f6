// SPDX-License-Identifier: MIT
#include "ui/convert/weights/weights_session.h"

#include "core/convert/merge/mergekit_file.h"
#include "core/convert/weights/weights_run.h"
#include "ui/convert/quantize/plan_text.h"
#include "ui/convert/run/save_plan.h"
#include "ui/widgets/paths.h"

#include <QDir>
#include <QFileInfo>

#include <utility>

namespace wb::ui::convert {

WeightsSession::WeightsSession(const Services& services, Wizard& wizard)
    : m_services(services), m_wizard(wizard), m_planning(services.jobs), m_measuring(services.jobs), m_checking(services.jobs),
      m_reading(services.jobs) {
    connect(&m_wizard.queue(), &RunQueue::ended, this, &WeightsSession::onEnded);
}

void WeightsSession::begin(WeightsGoal goal, const QString& source) { open(usualChoices(goal, source)); }

void WeightsSession::open(const WeightsChoices& choices, const QString& target) {
    close();
    if (!target.isEmpty()) m_target = target;
    take(choices);
}

void WeightsSession::resume(const UnfinishedRun& run) {
    const auto choices = readChoices(sourcePath(run), convert::planText(run), QFileInfo(targetPath(run)).fileName());
    if (!choices) {
        close();
        return fail(Sentence(choices.error()));
    }
    if (m_wizard.queue().isBusy()) {
        open(*choices, targetPath(run));
        m_wizard.queue({thisRun(run.record.replace)});
        return close();
    }
    open(*choices, targetPath(run));
    m_resumes = run.record.replace;
}

// A separate run continues without this page; the queue shows how it ends.
void WeightsSession::close() {
    for (LatestJob* job : {&m_planning, &m_measuring, &m_checking, &m_reading}) job->cancel();
    m_choices = {};
    m_history.clear();
    m_plan.reset();
    m_job.reset();
    m_members.clear();
    m_failure.clear();
    m_wantsTrust = false;
    m_seconds = -1;
    m_target.reset();
    m_resumes.reset();
    m_isKept = false;
    m_ownRun = 0;
    m_outcome.reset();
    emit changed();
}

void WeightsSession::choose(const WeightsChoices& choices) {
    if (choices == m_choices) return;
    if (isOpen()) m_history.remember(m_choices);
    take(choices);
}

void WeightsSession::undo() {
    if (canUndo()) take(m_history.undo(m_choices));
}

void WeightsSession::redo() {
    if (canRedo()) take(m_history.redo(m_choices));
}

void WeightsSession::take(const WeightsChoices& choices) {
    m_choices = choices;
    m_checking.cancel();
    m_resumes.reset();
    m_isKept = false;
    replan();
}

// Another source stays what it is: a plan file names none.
void WeightsSession::loadPlan(const QString& path) {
    const auto work = [path](const Progress&) { return wb::convert::readWeightsPlan(fsPath(path)); };
    const auto done = [this](const wb::convert::WeightsPlanFile& plan) {
        WeightsChoices choices = m_choices;
        choices.file = plan;
        choices.goal = planGoal(plan);
        choose(choices);
    };
    m_reading.start<wb::convert::WeightsPlanFile>(tr("Planning"), work, done,
                                                  [this](const Error& error) { fail(Sentence(error)); });
}

void WeightsSession::loadRecipe(const QString& path) {
    const auto work = [path](const Progress&) { return wb::convert::readMergekit(fsPath(path)); };
    const auto done = [this](const wb::convert::MergekitRecipe& recipe) {
        WeightsChoices choices = m_choices;
        choices.goal = WeightsGoal::MergeModels;
        choices.source = QString::fromStdString(recipe.base);
        choices.file.merge = recipe.choices;
        choices.file.type = recipe.type;
        choose(choices);
    };
    m_reading.start<wb::convert::MergekitRecipe>(tr("Opening recipe"), work, done,
                                                 [this](const Error& error) { fail(Sentence(error)); });
}

void WeightsSession::saveRecipe(const QString& path) {
    const auto& file = m_choices.file;
    const auto text = wb::convert::mergekitText({m_choices.source.toStdString(), file.merge, file.type});
    if (text) saveText(path, QString::fromStdString(*text));
    else fail(Sentence(text.error()));
}

void WeightsSession::savePlan(const QString& path) { saveText(path, planText()); }

void WeightsSession::saveText(const QString& path, const QString& text) {
    const auto work = [path, text = text.toStdString(), guard = m_services.openModels->guard()](const Progress&) {
        return writePlan(path, text, guard);
    };
    const auto done = [this](const Result<void>& result) {
        if (!result) fail(Sentence(result.error()));
    };
    m_services.jobs->start(tr("Saving the plan"), this, work, done, false);
}

QString WeightsSession::planText() const { return QString::fromStdString(wb::convert::weightsPlanText(m_choices.file)); }

// The name of the source next to it; of a merge and of a folder one that reports it. A type at its end gives way to the chosen one.
QString WeightsSession::target() const {
    if (m_target) return *m_target;
    if (!isOpen()) return {};
    const QFileInfo source(m_choices.source);
    const bool isFolder = m_choices.goal == WeightsGoal::Folder;
    QString name = source.isDir() ? source.fileName() : source.completeBaseName();
    if (const QString stem = nameWithoutType(name); stem != name && (isFolder || m_choices.file.type))
        name = isFolder ? stem : nameWithType(name, QLatin1String(wb::name(*m_choices.file.type)));
    const QString ending = m_choices.goal == WeightsGoal::Safetensors ? QStringLiteral(".safetensors")
                           : isFolder                                 ? QStringLiteral("-hf")
                                                                      : QStringLiteral("-merged");
    const QString folder = QFileInfo(source.absolutePath()).isWritable() ? source.absolutePath() : QDir::homePath();
    return QDir(folder).filePath(name + ending);
}

void WeightsSession::setTarget(const QString& target) {
    m_target = target.isEmpty() ? std::nullopt : std::optional(target);
    if (m_choices.goal == WeightsGoal::Safetensors && m_choices.file.shardBytes > 0) replan(); // shards are called by it
    emit changed();
}

void WeightsSession::fail(const Sentence& why) {
    m_failure = why;
    emit changed();
}

void WeightsSession::replan() {
    m_plan.reset();
    m_job.reset();
    m_members.clear();
    m_failure.clear();
    m_wantsTrust = false;
    m_outcome.reset();
    m_measuring.cancel();
    m_seconds = -1;
    const auto work = [choices = m_choices, target = target()](const Progress& progress) {
        return planChosenWeights(choices, target, progress);
    };
    const auto done = [this](const PlannedWeights& planned) {
        m_plan = planned.safetensors.plan;
        m_job = planned.safetensors.job;
        m_members = planned.members;
        if (const auto replaces = std::exchange(m_resumes, {})) return run(*replaces);
        measure();
        emit changed();
    };
    const auto failed = [this](const Error& error) {
        m_wantsTrust = error.reason == wb::convert::untrustedSource;
        fail(Sentence(error));
    };
    m_planning.start<PlannedWeights>(tr("Planning"), work, done, failed);
    emit changed();
}

void WeightsSession::measure() {
    const auto work = [plan = m_plan, threads = m_services.settings->threads()](const Progress& progress) {
        return wb::convert::estimateSeconds(*plan, threads, progress.stop);
    };
    const auto done = [this](double seconds) {
        m_seconds = seconds;
        emit changed();
    };
    m_measuring.start<double>(tr("Estimating speed"), work, done, [](const Error&) {}); // the run will report it
}

quint64 WeightsSession::peakMemory() const { return m_job ? m_job->peakMemory(m_services.settings->threads()) : 0; }

void WeightsSession::checkRun() {
    if (!m_plan) return;
    if (m_wizard.queue().has(target()))
        return fail(Sentence(
            tr("A queued job already writes to %1; choose another name or remove that job.").arg(QFileInfo(target()).fileName())));
    const auto work = [job = m_job, target = target(), state = m_services.stateFolder](const Progress&) -> Result<RunCheck> {
        return convert::checkRun(*job, target, state);
    };
    const auto done = [this](const RunCheck& check) {
        if (check.problem.isEmpty()) emit checked(check);
        else fail(Sentence(check.problem));
    };
    m_checking.start<RunCheck>(tr("Checking output"), work, done, [this](const Error& error) { fail(Sentence(error)); });
}

QueuedRun WeightsSession::thisRun(bool replace) const {
    QueuedRun run;
    run.model = m_choices.source;
    run.type = m_choices.file.isFolder ? QStringLiteral("huggingface") : QStringLiteral("safetensors"); // as --to has it
    run.target = target();
    run.plan = planText();
    run.replace = replace;
    run.job = m_job;
    return run;
}

void WeightsSession::run(bool replace) {
    if (!m_plan || isRunning()) return;
    m_measuring.cancel();
    m_failure.clear();
    m_isKept = false;
    m_ownRun = m_wizard.runBeside(thisRun(replace));
    if (!isRunning()) {
        emit queued();
        return close();
    }
    emit changed();
}

void WeightsSession::onEnded(quint64 id) {
    if (id == 0 || id != m_ownRun) return;
    m_ownRun = 0;
    m_outcome = m_wizard.runs().outcome();
    m_isKept = !m_outcome && m_wizard.runs().failure().text().isEmpty();
    m_failure = m_wizard.runs().failure(); // empty where all is well
    m_wizard.endBeside(id);
    emit changed();
}

void WeightsSession::backToPlan() {
    m_outcome.reset();
    emit changed();
}

} // namespace wb::ui::convert
