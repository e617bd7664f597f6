// SPDX-License-Identifier: MIT
#include "ui/inspect/document/statistics_runner.h"

#include "core/stats/contents/model_statistics.h"

#include <mutex>

namespace wb::ui::inspect {
namespace {

constexpr int collectMs = 250;

// Everything on the tensor page is computed: the whole-model job of a huge model leaves the histogram out.
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
    std::vector<TensorResult> collect() {
        const std::scoped_lock lock(mutex);
        return std::exchange(results, {});
    }
};

StatisticsRunner::StatisticsRunner(Document& document, const Services& services, QObject* parent)
    : QObject(parent), m_document(document), m_services(services), m_cache(services.settings->cacheFolder()), m_one(services.jobs) {
    m_collector.setInterval(collectMs);
    connect(&m_collector, &QTimer::timeout, this, &StatisticsRunner::collect);
}

StatisticsRunner::~StatisticsRunner() {
    if (m_all) m_all->cancel();
    collect();
    if (m_unsaved) saveCache();
}

void StatisticsRunner::loadCache() {
    if (m_services.settings->cacheFolder().isEmpty()) return;
    using Results = std::vector<TensorResult>;
    startJob<Results>(
        *m_services.jobs, tr("Loading saved statistics"), this,
        [cache = m_cache, model = m_document.contents().model](const Progress&) -> Result<Results> { return cache.load(*model); },
        [this](const Result<Results>& results) {
            if (results) m_document.addStatistics(*results);
        },
        false);
}

void StatisticsRunner::request(std::uint32_t tensor) {
    m_one.cancel();
    m_requested.reset();
    if (!isComplete(m_document.contents().statistics(tensor)) && m_services.statistics) {
        m_requested = tensor;
        const auto work = [backend = m_services.statistics, pass = m_document.pass(tensor), model = m_document.contents().model,
                           tensor, threads = m_services.settings->threads()](const Progress& progress) -> Result<TensorResult> {
            WB_TRY_ASSIGN(const stats::StatsPtr fine, pass->statistics(*backend, threads, progress));
            WB_TRY_ASSIGN(const auto checksums, zip::MemberChecksums::read(*model));
            const std::size_t read = tensor;
            WB_TRY_ASSIGN(auto problems, checksums.compare(std::span(&read, 1), {progress.stop, {}}));
            return TensorResult{tensor, stats::withUsualBins(fine), std::move(problems)};
        };
        m_one.start<TensorResult>(
            tr("Statistics of a tensor"), work, [this](const TensorResult& result) { finishOne(result); },
            [this, tensor](const Error& error) { finishOne({tensor, nullptr}, error); });
    }
    emit activityChanged();
}

void StatisticsRunner::finishOne(const TensorResult& result, const std::optional<Error>& error) {
    m_requested.reset();
    if (error) fail(*error, result.tensor);
    else deliver(result);
    emit activityChanged();
}

void StatisticsRunner::computeAll() {
    if (m_all || !m_services.statistics || m_document.computedCount() == m_document.contents().count()) return;
    m_mailbox = std::make_shared<Mailbox>();
    const auto work = [backend = m_services.statistics, contents = m_document.contents(), threads = m_services.settings->threads(),
                       mailbox = m_mailbox](const Progress& progress) {
        return stats::computeMissing(*backend, contents, threads, progress,
                                     [&](TensorResult result) { mailbox->put(std::move(result)); });
    };
    m_all = m_services.jobs->start([title = m_document.title()] { return tr("Statistics of %1").arg(title); }, this, work,
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
    const std::vector<TensorResult> results = m_mailbox->collect();
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
    if (error.code == ErrorCode::Canceled) return;
    if (error.code == ErrorCode::Changed) emit changedOnDisk(error);
    if (tensor) emit tensorFailed(*tensor, error);
    else if (error.code != ErrorCode::Changed) emit modelFailed(error);
}

// Damage is searched again in the next session.
stats::Contents StatisticsRunner::undamagedContents() const {
    stats::Contents contents = m_document.contents();
    for (std::uint32_t i = 0; i < contents.count(); ++i)
        if (m_document.isDamaged(i)) contents.stats[i] = nullptr;
    return contents;
}

void StatisticsRunner::saveCache() {
    m_unsaved = false;
    if (m_services.settings->cacheFolder().isEmpty()) return;
    m_services.jobs->start(
        tr("Saving statistics"), nullptr,
        [cache = m_cache, contents = undamagedContents()](const Progress&) -> Result<void> {
            cache.save(contents);
            return {};
        },
        [](const Result<void>&) {}, false);
}

} // namespace wb::ui::inspect
