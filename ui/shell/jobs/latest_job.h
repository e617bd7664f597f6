// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/jobs/start_job.h"

namespace wb::ui {

// Work of which only the newest request matters: starting another cancels the one before and drops its answer, and so does
// destroying this. GUI thread only; the work runs on a worker and must hold all it needs by value.
class LatestJob : public QObject {
    Q_OBJECT

public:
    explicit LatestJob(JobRunner* jobs, QObject* parent = nullptr) : QObject(parent), m_jobs(jobs) {}
    ~LatestJob() override { cancel(); }

    // One of `done`, `failed` and `stopped` is called on the GUI thread, unless another request came, or cancel(); isRunning() is
    // false then, and each may start the next request. `stopped`: the user canceled the job on the Jobs page, where only a visible
    // one is.
    template <typename T>
    void start(const Sentence& title, std::function<Result<T>(const Progress&)> work, std::function<void(const T&)> done,
               std::function<void(const Error&)> failed, bool visible = false, std::function<void()> stopped = {}) {
        cancel();
        const auto finish = [this, number = m_number, done = std::move(done), failed = std::move(failed),
                             stopped = std::move(stopped)](const Result<T>& result) {
            if (number != m_number) return;
            m_job.reset();
            if (result) done(*result);
            else if (result.error().code != ErrorCode::Canceled) failed(result.error());
            else if (stopped) stopped();
        };
        m_job = startJob<T>(*m_jobs, title, this, std::move(work), finish, visible);
    }

    // Null: no request is unanswered.
    JobHandle* job() const { return m_job.get(); }
    bool isRunning() const { return m_job != nullptr; }

    void cancel() {
        ++m_number;
        if (m_job) m_job->cancel();
        m_job.reset();
    }

private:
    JobRunner* m_jobs;
    std::shared_ptr<JobHandle> m_job;
    quint64 m_number = 0; // of the newest request
};

} // namespace wb::ui
