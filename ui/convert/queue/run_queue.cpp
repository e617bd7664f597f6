// SPDX-License-Identifier: MIT
#include "ui/convert/queue/run_queue.h"

#include "ui/convert/queue/planned_run.h"

#include <QDateTime>
#include <QFileInfo>
#include <QMap>

#include <algorithm>
#include <utility>

namespace wb::ui::convert {
namespace {

using State = QueuedRun::State;

using Percents = QMap<quint64, int>; // by id

Percents runsPercents(const QList<QueuedRun>& runs, const QString& stateFolder) {
    Percents percents;
    for (const QueuedRun& run : runs)
        if (const auto kept = unfinishedRunTo(run.target, stateFolder); kept && kept->percent) percents[run.id] = *kept->percent;
    return percents;
}

} // namespace

RunQueue::RunQueue(const Services& services, RunSession& session)
    : m_services(services), m_session(session), m_store(std::make_shared<QueueStore>(services.stateFolder)),
      m_loading(services.jobs), m_planning(services.jobs), m_looking(services.jobs) {
    connect(&m_session, &RunSession::ended, this, &RunQueue::onEnded);
}

void RunQueue::load() {
    using Runs = QList<QueuedRun>;
    const auto work = [store = m_store](const Progress&) -> Result<Runs> { return store->all(); };
    const auto done = [this](const Runs& runs) {
        if (runs.isEmpty()) return;
        for (qsizetype i = 0; i < runs.size(); ++i)
            if (!find(runs[i].id)) m_runs.insert(std::min(i, m_runs.size()), runs[i]);
        m_isHeld = true;
        lookUp();
        emit changed();
    };
    m_loading.start<Runs>(tr("Loading queue"), work, done, [](const Error&) {}); // which does not happen
}

const QueuedRun* RunQueue::current() const { return const_cast<RunQueue*>(this)->find(m_current); }

QueuedRun* RunQueue::find(quint64 id) {
    const auto found = std::ranges::find(m_runs, id, &QueuedRun::id);
    return found == m_runs.end() ? nullptr : &*found;
}

// One that was stopped comes first: it is the one that the queue is paused at.
QueuedRun* RunQueue::nextOpen() {
    const auto stopped = std::ranges::find(m_runs, State::Stopped, &QueuedRun::state);
    if (stopped != m_runs.end()) return &*stopped;
    const auto waiting = std::ranges::find(m_runs, State::Waiting, &QueuedRun::state);
    return waiting == m_runs.end() ? nullptr : &*waiting;
}

int RunQueue::openCount() const { return static_cast<int>(std::ranges::count_if(m_runs, &QueuedRun::isOpen)); }

bool RunQueue::has(const QString& target) const {
    const QString path = QFileInfo(target).absoluteFilePath();
    return std::ranges::any_of(m_runs, [&path](const QueuedRun& run) {
        return run.state != State::Done && QFileInfo(run.target).absoluteFilePath() == path;
    });
}

// The time, so that runs of two windows do not meet under one name.
quint64 RunQueue::newId() {
    quint64 id = static_cast<quint64>(QDateTime::currentMSecsSinceEpoch()) * 1000;
    for (const QueuedRun& run : m_runs) id = std::max(id, run.id + 1);
    return id;
}

void RunQueue::save(const QList<QueuedRun>& runs) {
    const auto work = [runs, store = m_store](const Progress&) -> Result<void> {
        for (const QueuedRun& run : runs) WB_TRY(store->save(run));
        return {};
    };
    const auto done = [this](const Result<void>& saved) {
        if (!saved && saved.error().code != ErrorCode::Canceled) emit notSaved(saved.error());
    };
    m_services.jobs->start(tr("Saving queue"), this, work, done, false);
}

// Its file is written again.
void RunQueue::removeDone(const QString& target) {
    m_runs.removeIf([&target](const QueuedRun& run) { return run.state == State::Done && run.target == target; });
}

quint64 RunQueue::runNow(QueuedRun run) {
    run.id = newId();
    run.state = State::Waiting;
    removeDone(run.target);
    m_runs.prepend(run);
    begin(run.id);
    return run.id;
}

void RunQueue::add(const QList<QueuedRun>& runs) {
    QList<QueuedRun> added;
    for (QueuedRun run : runs) {
        run.id = newId();
        run.state = State::Waiting;
        removeDone(run.target);
        m_runs.append(run);
        added.append(run);
    }
    if (const QueuedRun* now = current()) added.prepend(*now); // it is no longer alone
    save(added);
    if (!isBusy()) goOn();
    else emit changed();
}

void RunQueue::goOn() {
    m_isHeld = false;
    if (QueuedRun* next = isBusy() ? nullptr : nextOpen()) begin(next->id);
    else emit changed();
}

void RunQueue::hold() {
    m_isHeld = true;
    emit changed();
}

void RunQueue::begin(quint64 id) {
    QueuedRun& run = *find(id);
    m_current = id;
    run.state = State::Running;
    run.failure.clear();
    if (run.job) return start(run);
    plan(run);
    emit changed();
}

void RunQueue::plan(const QueuedRun& run) {
    const auto work = [run, threads = m_services.settings->threads()](const Progress& progress) {
        return planJob(run, threads, progress);
    };
    const auto done = [this](const JobPtr& job) {
        QueuedRun* current = find(m_current);
        current->job = job;
        start(*current);
    };
    const auto failed = [this](const Error& error) {
        QueuedRun* current = find(m_current);
        current->failure = Sentence(error);
        finish(*current, State::Failed);
    };
    m_planning.start<JobPtr>(tr("Planning"), work, done, failed);
}

// The session tells of the start, and so does this.
void RunQueue::start(QueuedRun& run) {
    // The record leaves the queue in the moment the run is done, so that no crash makes it run twice.
    m_session.start(run.job, run.target, run.replace, [store = m_store, id = run.id] { store->remove(id); });
    emit changed();
}

void RunQueue::onEnded() {
    QueuedRun* run = find(m_current);
    if (!run) return;
    run->failure = m_session.failure();
    const bool isDone = m_session.outcome().has_value(), isStopped = run->failure.text().isEmpty();
    finish(*run, isDone ? State::Done : isStopped ? State::Stopped : State::Failed);
}

void RunQueue::finish(QueuedRun& run, State state) {
    const quint64 id = run.id;
    run.state = state;
    run.percent.reset();
    if (state == State::Done) run.job.reset(); // it contains the model
    m_current = 0;
    if (state == State::Stopped) m_isHeld = true;
    emit ended(id);
    if (!isBusy() && !m_isHeld)
        if (QueuedRun* next = nextOpen()) return begin(next->id);
    if (state == State::Stopped) lookUp();
    emit changed();
}

void RunQueue::remove(quint64 id) {
    if (id == m_current || !find(id)) return;
    m_runs.removeIf([id](const QueuedRun& run) { return run.id == id; });
    if (openCount() == 0) m_isHeld = false;
    const auto work = [id, store = m_store](const Progress&) -> Result<void> {
        store->remove(id);
        return {};
    };
    m_services.jobs->start(tr("Saving queue"), this, work, [](const Result<void>&) {}, false);
    emit changed();
}

void RunQueue::retry(quint64 id) {
    QueuedRun* const run = find(id);
    if (!run || run->state != State::Failed) return;
    run->state = State::Waiting;
    run->failure.clear();
    if (isBusy()) emit changed();
    else goOn();
}

void RunQueue::clearDone() {
    m_runs.removeIf([](const QueuedRun& run) { return run.state == State::Done; });
    emit changed();
}

void RunQueue::lookUp() {
    QList<QueuedRun> open;
    for (const QueuedRun& run : std::as_const(m_runs))
        if (run.isOpen()) open.append(run);
    const auto work = [open, state = m_services.stateFolder](const Progress&) -> Result<Percents> {
        return runsPercents(open, state);
    };
    const auto done = [this](const Percents& percents) {
        for (QueuedRun& run : m_runs)
            if (run.isOpen() && percents.contains(run.id)) run.percent = percents[run.id];
        emit changed();
    };
    m_looking.start<Percents>(tr("Checking for unfinished jobs"), work, done, [](const Error&) {}); // which does not happen
}

} // namespace wb::ui::convert
