// SPDX-License-Identifier: MIT
#pragma once

#include "ui/shell/services.h"

#include <optional>

namespace wb::ui::inspect {

// Quick work of which only the newest request matters: starting another cancels the one before and drops its answer. GUI thread only;
// the work runs on a worker and must hold all it needs by value.
class LatestJob : public QObject {
    Q_OBJECT

public:
    explicit LatestJob(JobRunner* jobs, QObject* parent = nullptr) : QObject(parent), m_jobs(jobs) {}
    ~LatestJob() override { cancel(); }

    // `done` or `failed` is called on the GUI thread, unless another request came, or cancel().
    template <typename T>
    void start(const QString& title, std::function<Result<T>(const Progress&)> work, std::function<void(const T&)> done,
               std::function<void(const Error&)> failed) {
        cancel();
        const auto answer = std::make_shared<std::optional<T>>();
        const auto run = [work = std::move(work), answer](const Progress& progress) -> Result<void> {
            WB_TRY_ASSIGN(*answer, work(progress));
            return {};
        };
        const auto finish = [this, number = m_number, answer, done = std::move(done),
                             failed = std::move(failed)](const Result<void>& result) {
            if (number != m_number) return;
            m_job.reset();
            if (result) done(**answer);
            else if (result.error().code != ErrorCode::Cancelled) failed(result.error());
        };
        m_job = m_jobs->start(title, this, run, finish, false);
    }

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

} // namespace wb::ui::inspect
