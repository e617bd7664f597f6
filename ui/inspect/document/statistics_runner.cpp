// SPDX-License-Identifier: MIT
#include "ui/inspect/document/statistics_runner.h"

#include "ui/inspect/document/statistics_work.h"

#include <mutex>

namespace wb::ui::inspect {
namespace {

constexpr int collectMs = 250;

// Everything the tensor page shows is known: the whole-model job of a huge model leaves the histogram out.
bool isComplete(const stats::TensorStats* stats) { return stats && (stats->histogram || stats->finite == 0); }

} // namespace

// Where the worker of the whole-model job leaves results until the GUI thread collects them.
struct StatisticsRunner::Mailbox {
    std::mutex mutex;
    std::vector<TensorResult> results;

    void put(TensorResult result) {
        const std::scoped_lock lock(mutex);
        results.push_back(std::move(result));
    }
    std::vector<TensorResult> takeAll() {
        const std::scoped_lock lock(mutex);
        return std::exchange(results, {});
    }
};

StatisticsRunner::StatisticsRunner(Document& document, const Services& services, QObject* parent)
    : QObject(parent), m_document(document), m_services(services), m_cache(services.cacheFolder) {
    m_collector.setInterval(collectMs);
    connect(&m_collector, &QTimer::timeout, this, &StatisticsRunner::collect);
}

StatisticsRunner::~StatisticsRunner() {
    if (m_one) m_one->cancel();
    if (m_all) m_all->cancel();
    collect();
    if (m_unsaved) saveCache();
}

void StatisticsRunner::loadCache() {
    if (m_services.cacheFolder.isEmpty()) return;
    const auto results = std::make_shared<std::vector<TensorResult>>();
    m_services.jobs->start(
        tr("Loading known statistics"), this,
        [cache = m_cache, model = m_document.contents().model, results](const Progress&) -> Result<void> {
            *results = cache.load(*model);
            return {};
        },
        [this, results](const Result<void>&) { m_document.addStatistics(*results); }, false);
}

void StatisticsRunner::request(std::uint32_t tensor) {
    if (m_one) m_one->cancel();
    m_one.reset();
    m_requested.reset();
    const quint64 number = ++m_request;
    if (!isComplete(m_document.contents().statistics(tensor)) && m_services.statistics) {
        m_requested = tensor;
        const auto stats = std::make_shared<StatsPtr>();
        const auto work = [backend = m_services.statistics, model = m_document.contents().model, tensor,
                           threads = m_services.threads, stats](const Progress& progress) -> Result<void> {
            WB_TRY_ASSIGN(*stats, computeTensor(*backend, *model, tensor, threads, progress));
            return {};
        };
        const auto done = [this, number, tensor, stats](const Result<void>& result) {
            if (m_request != number) return; // a later request has won
            m_requested.reset();
            m_one.reset();
            if (result)
                deliver({tensor, *stats});
            else
                fail(result.error(), tensor);
            emit activityChanged();
        };
        m_one = m_services.jobs->start(tr("Statistics of one tensor"), this, work, done, false);
    }
    emit activityChanged();
}

void StatisticsRunner::computeAll() {
    if (m_all || !m_services.statistics || m_document.computedCount() == m_document.contents().count()) return;
    m_mailbox = std::make_shared<Mailbox>();
    const auto work = [backend = m_services.statistics, contents = m_document.contents(), threads = m_services.threads,
                       mailbox = m_mailbox](const Progress& progress) {
        return computeMissing(*backend, contents, threads, progress,
                              [&](std::uint32_t tensor, StatsPtr stats) { mailbox->put({tensor, std::move(stats)}); });
    };
    m_all = m_services.jobs->start(tr("Statistics of %1").arg(m_document.title()), this, work,
                                   [this](const Result<void>& result) { finishAll(result); });
    m_collector.start();
    emit activityChanged();
}

void StatisticsRunner::cancelAll() {
    if (m_all) m_all->cancel();
}

void StatisticsRunner::deliver(const TensorResult& result) {
    m_unsaved = true;
    m_document.addStatistics(std::span(&result, 1));
}

void StatisticsRunner::collect() {
    if (!m_mailbox) return;
    const std::vector<TensorResult> results = m_mailbox->takeAll();
    m_unsaved = m_unsaved || !results.empty();
    m_document.addStatistics(results);
}

void StatisticsRunner::finishAll(const Result<void>& result) {
    m_collector.stop();
    collect();
    m_all.reset();
    m_mailbox.reset();
    if (m_unsaved) saveCache();
    if (!result) fail(result.error(), std::nullopt);
    emit activityChanged();
}

void StatisticsRunner::fail(const Error& error, std::optional<std::uint32_t> tensor) {
    if (error.code == ErrorCode::Cancelled) return;
    if (error.code == ErrorCode::Changed) emit changedOnDisk(error);
    if (tensor)
        emit tensorFailed(*tensor, error);
    else if (error.code != ErrorCode::Changed)
        emit modelFailed(error);
}

void StatisticsRunner::saveCache() {
    m_unsaved = false;
    if (m_services.cacheFolder.isEmpty()) return;
    m_services.jobs->start(
        tr("Keeping statistics"), nullptr,
        [cache = m_cache, contents = m_document.contents()](const Progress&) -> Result<void> {
            cache.save(contents);
            return {};
        },
        [](const Result<void>&) {}, false);
}

} // namespace wb::ui::inspect
