// SPDX-License-Identifier: MIT
#include "ui/shell/jobs/job_runner.h"

#include <new>

namespace wb::ui {
namespace {

// Work that runs out of memory must fail, not take the window with it.
Result<void> runGuarded(const std::function<Result<void>(const Progress&)>& work, const Progress& progress) {
    try {
        return work(progress);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::TooLarge, Reason("job.out_of_memory"),
                    WB_TEXT("Not enough memory for this job; close other models and try again."));
    } catch (const std::exception& exception) {
        auto error = makeError(ErrorCode::Internal, Reason("job.defect"),
                               WB_TEXT("The job stopped because of a bug in Weighbridge: {}"), exception.what());
        return std::unexpected(std::move(error));
    }
}

} // namespace

QueuedJobRunner::~QueuedJobRunner() {
    for (const auto& job : std::as_const(m_unfinished)) job->dropDone();
    cancelAll();
    m_threads.reset();
}

std::shared_ptr<JobHandle> QueuedJobRunner::start(const Sentence& title, QObject* context,
                                                  std::function<Result<void>(const Progress&)> work,
                                                  std::function<void(Result<void>)> done, bool visible) {
    const quint64 id = m_nextId++;
    auto control = std::make_shared<jobs::JobControl>(
        [this, id] { QMetaObject::invokeMethod(this, [this, id] { withJob(id, &Job::updateFigures); }, Qt::QueuedConnection); });
    auto job = std::make_shared<Job>(id, title, std::move(done), control);
    m_unfinished.insert(id, job);
    watch(job, context);
    if (visible) Q_EMIT jobAdded(job);
    using Lane = jobs::JobThreads::Lane;
    m_threads->submit(visible ? Lane::Long : Lane::Quick, task(id, control, std::move(work)));
    return job;
}

void QueuedJobRunner::cancelAll() {
    const auto jobs = m_unfinished.values();
    for (const auto& job : jobs) job->cancel();
}

// Runs on a worker: it touches the control and values only; `this` outlives it because the destructor joins the threads.
std::function<void()> QueuedJobRunner::task(quint64 id, const std::shared_ptr<jobs::JobControl>& control,
                                            std::function<Result<void>(const Progress&)> work) {
    return [this, id, control, work = std::move(work)] {
        if (!control->claim()) return;
        QMetaObject::invokeMethod(this, [this, id] { withJob(id, &Job::begin); }, Qt::QueuedConnection);
        auto result = runGuarded(work, control->progress());
        auto finish = [this, id, result = std::move(result)] { withJob(id, [&](Job& job) { job.finish(result); }); };
        QMetaObject::invokeMethod(this, std::move(finish), Qt::QueuedConnection);
    };
}

void QueuedJobRunner::watch(const std::shared_ptr<Job>& job, QObject* context) {
    const quint64 id = job->id();
    connect(job.get(), &JobHandle::finished, this, [this, id] {
        m_unfinished.remove(id);
        if (m_unfinished.isEmpty()) Q_EMIT idle();
    });
    if (!context) return;
    connect(context, &QObject::destroyed, job.get(), [this, id] {
        withJob(id, [](Job& abandoned) {
            abandoned.dropDone();
            abandoned.cancel();
        });
    });
}

void QueuedJobRunner::withJob(quint64 id, const std::function<void(Job&)>& use) {
    if (const std::shared_ptr<Job> job = m_unfinished.value(id)) use(*job);
}

} // namespace wb::ui
