// SPDX-License-Identifier: MIT
#include "core/stats/contents/tensor_pass.h"

#include "core/jobs/stop_wait.h"
#include "core/tensor/block_parts.h"

namespace wb::stats {
namespace {

constexpr std::uint32_t scaleBins = 512;

} // namespace

// The time in which one thread computes; its end wakes those that wait, also after an error.
class TensorPass::Turn {
public:
    explicit Turn(TensorPass& pass) : m_pass(pass) {}
    ~Turn() {
        const std::lock_guard lock(m_pass.m_mutex);
        m_pass.m_isComputing = false;
        m_pass.m_computed.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    TensorPass& m_pass;
};

TensorPass::TensorPass(ModelPtr model, std::uint32_t tensor, std::uint64_t kept)
    : m_model(std::move(model)), m_tensor(tensor), m_kept(kept) {}

Result<TensorReader> TensorPass::reader() {
    const std::lock_guard lock(m_mutex);
    if (!m_reader) {
        WB_TRY_ASSIGN(const TensorReader opened, TensorReader::open(*m_model, m_model->tensors[m_tensor]));
        m_reader = opened.keeping(m_kept);
    }
    return *m_reader;
}

Result<StatsPtr> TensorPass::statistics(Backend& backend, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const TensorReader tensor, reader());
    std::unique_lock lock(m_mutex);
    jobs::waitUnlessStopped(m_computed, lock, progress.stop, [this] { return !m_isComputing; });
    if (progress.stop.stop_requested()) return std::unexpected(canceled());
    if (m_statistics) return m_statistics;
    m_isComputing = true;
    lock.unlock();
    const Turn turn(*this);
    Options options;
    options.bins = fineBins;
    options.threads = threads;
    WB_TRY_ASSIGN(TensorStats computed, backend.compute(tensor, options, progress));
    lock.lock();
    m_statistics = std::make_shared<const TensorStats>(std::move(computed));
    lock.unlock();
    return m_statistics;
}

Result<DistributionFacts> TensorPass::distribution(Backend& backend, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(const TensorReader tensor, reader());
    DistributionFacts facts;
    WB_TRY_ASSIGN(facts.stats, statistics(backend, threads, progress));
    if (!blockFacts(tensor.dtype())) return facts;
    WB_TRY_ASSIGN(auto codes, computeCodes(tensor, scaleBins, threads, progress));
    facts.codes = std::make_shared<const CodeStats>(std::move(codes));
    return facts;
}

Histogram coarser(const Histogram& fine, std::size_t bins) {
    if (bins == 0 || fine.counts.size() <= bins || fine.counts.size() % bins != 0) return fine;
    Histogram coarse{fine.low, fine.high, std::vector<std::uint64_t>(bins)};
    const std::size_t each = fine.counts.size() / bins;
    for (std::size_t i = 0; i < fine.counts.size(); ++i) coarse.counts[i / each] += fine.counts[i];
    return coarse;
}

StatsPtr withUsualBins(const StatsPtr& fine) {
    auto coarse = std::make_shared<TensorStats>(*fine);
    if (coarse->histogram) coarse->histogram = coarser(*coarse->histogram, Options{}.bins);
    return coarse;
}

} // namespace wb::stats
