// SPDX-License-Identifier: MIT
#include "tests/gui/inspect/manual_jobs.h"

#include <algorithm>

namespace wb::test {

void ManualJob::run() {
    if (m_isFinished) return;
    const Progress progress{m_stop.get_token(), [this](std::uint64_t at, std::uint64_t total) { reports.emplace_back(at, total); }};
    const Result<void> result = m_stop.stop_requested() ? Result<void>(std::unexpected(canceled())) : work(progress);
    m_isFinished = true;
    if (!hasContext || context) done(result);
    Q_EMIT finished();
}

std::shared_ptr<ui::JobHandle> ManualJobs::start(const ui::Sentence& title, QObject* context,
                                                 std::function<Result<void>(const Progress&)> work,
                                                 std::function<void(Result<void>)> done, bool visible) {
    auto job = std::make_shared<ManualJob>();
    job->title = title.text();
    job->visible = visible;
    job->context = context;
    job->hasContext = context != nullptr;
    job->work = std::move(work);
    job->done = std::move(done);
    m_waiting.push_back(job);
    return job;
}

void ManualJobs::runAll() {
    while (!m_waiting.empty()) {
        const auto job = m_waiting.front();
        m_waiting.pop_front();
        job->run();
    }
}

std::shared_ptr<ManualJob> ManualJobs::find(const QString& title) const {
    const auto found = std::ranges::find_if(m_waiting, [&](const auto& job) { return job->title.startsWith(title); });
    return found == m_waiting.end() ? nullptr : *found;
}

} // namespace wb::test
