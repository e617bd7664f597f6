// SPDX-License-Identifier: MIT
#include "ui/convert/run/run_session.h"

#include "ui/widgets/paths.h"

#include <utility>

namespace wb::ui::convert {
namespace {

// Remembers the run, so that it can be continued after a crash, and says for as long as the claim exists that it lives. Null where
// nothing can be written, which does not hinder the run.
std::shared_ptr<run::Claim> claim(const wb::convert::Job& job, const QString& target, bool replace, const QString& stateFolder) {
    return run::claim(fsPath(stateFolder), job.record(fsPath(target), replace)).value_or(nullptr);
}

} // namespace

RunSession::RunSession(const Services& services) : m_services(services), m_checking(services.jobs), m_preparing(services.jobs) {}

void RunSession::check(const JobPtr& job, const QString& target) {
    const auto work = [job, target, stateFolder = m_services.stateFolder](const Progress&) -> Result<RunCheck> {
        return checkRun(*job, target, stateFolder);
    };
    const auto done = [this](const RunCheck& check) {
        if (check.problem.isEmpty()) emit checked(check);
        else emit checkFailed(check.problem);
    };
    m_checking.start<RunCheck>(tr("Checking output"), work, done, [this](const Error& error) { emit checkFailed(error); });
}

void RunSession::start(const JobPtr& job, const QString& target, bool replace, std::function<void()> finished) {
    if (m_isRunning) return;
    m_planned = job;
    m_finished = std::move(finished);
    m_target = target;
    m_firstFile = qtPath(job->targets(fsPath(target)).front());
    m_replace = replace;
    m_isRunning = true;
    m_isPaused = false;
    m_isStopping = false;
    m_done = 0;
    m_total = job->bytes();
    m_outcome.reset();
    m_failure.clear();
    using Claim = std::shared_ptr<run::Claim>;
    const auto work = [job, target, replace, stateFolder = m_services.stateFolder](const Progress&) -> Result<Claim> {
        return claim(*job, target, replace, stateFolder);
    };
    const auto done = [this](const Claim& claim) {
        m_claim = claim;
        startJob();
    };
    m_preparing.start<Claim>(tr("Preparing job"), work, done, [this](const Error& error) { end(Sentence(error)); });
    emit changed();
}

void RunSession::startJob() {
    const auto outcome = std::make_shared<wb::convert::Outcome>();
    wb::convert::RunOptions options;
    options.threads = m_services.settings->threads();
    options.replace = m_replace;
    options.claim = m_claim.get();
    if (m_services.quantizer) options.backend = m_services.quantizer;
    const auto work = [job = m_planned, outcome, target = m_target, options, claimed = m_claim,
                       finished = m_finished](const Progress& progress) -> Result<void> {
        WB_TRY_ASSIGN(*outcome, job->run(fsPath(target), options, progress));
        if (finished) finished();
        return {};
    };
    const auto done = [this, outcome](const Result<void>& result) {
        if (result) m_outcome = std::move(*outcome);
        end(result || result.error().code == ErrorCode::Canceled ? Sentence() : Sentence(result.error()));
    };
    m_job = m_services.jobs->start(convert::jobTitle(*m_planned), this, work, done);
    connect(m_job.get(), &JobHandle::progressed, this, [this](quint64 bytes, quint64 total) {
        m_done = bytes;
        m_total = total;
        emit progressed();
    });
    connect(m_job.get(), &JobHandle::pausedChanged, this, [this](bool paused) { // also on the Jobs page
        m_isPaused = paused;
        emit changed();
    });
    emit changed();
}

void RunSession::end(const Sentence& failure) {
    m_job.reset();
    m_claim.reset();
    m_isRunning = false;
    m_failure = failure;
    emit ended();
    emit changed();
}

void RunSession::setPaused(bool paused) {
    if (m_job) m_job->setPaused(paused);
}

void RunSession::cancel() {
    if (!m_isRunning || m_isStopping) return;
    m_isStopping = true;
    emit changed();
    if (m_job) return m_job->cancel();
    m_preparing.cancel();
    end(Sentence());
}

void RunSession::clear() {
    m_checking.cancel();
    if (m_isRunning) return;
    m_planned.reset();
    m_outcome.reset();
}

} // namespace wb::ui::convert
