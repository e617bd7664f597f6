// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"
#include "core/stats/codes.h"
#include "core/stats/stats.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace wb::stats {

using StatsPtr = std::shared_ptr<const TensorStats>;

// How the values of a tensor are distributed; of block types also how the codes and scales are used.
struct DistributionFacts {
    StatsPtr stats;                         // with TensorPass::fineBins bins
    std::shared_ptr<const CodeStats> codes; // null for other types
};

// One tensor while a user looks at it. Its numbers, its distribution and its pictures come from the same reading: raw bytes of up
// to keptBytes stay in memory until the pass is destroyed, and the statistics are computed once. A larger tensor is streamed by
// each computation. Thread-safe: every view asks from its own job.
class TensorPass {
public:
    static constexpr std::uint64_t keptBytes = std::uint64_t{128} << 20;
    static constexpr std::uint32_t fineBins = 8192; // so that a logarithmic axis still has bins near zero

    TensorPass(ModelPtr model, std::uint32_t tensor, std::uint64_t kept = keptBytes);

    const ModelPtr& model() const { return m_model; }
    std::uint32_t tensor() const { return m_tensor; }

    // Opened at the first call.
    Result<TensorReader> reader();

    // With fineBins bins. While another thread computes them, it waits for that result; if that thread fails or is stopped, it
    // computes them itself.
    Result<StatsPtr> statistics(Backend& backend, unsigned threads, const Progress& progress);

    Result<DistributionFacts> distribution(Backend& backend, unsigned threads, const Progress& progress);

private:
    class Turn;

    const ModelPtr m_model;
    const std::uint32_t m_tensor;
    const std::uint64_t m_kept;
    std::mutex m_mutex;
    std::condition_variable m_computed;
    std::optional<TensorReader> m_reader;
    StatsPtr m_statistics;
    bool m_isComputing = false;
};

// The same histogram with `bins` bins; their number divides that of the finer one, or nothing changes.
Histogram coarser(const Histogram& fine, std::size_t bins);

// What `wb inspect --stats` computes by default: a histogram of 256 bins. The counts are those of computing it so.
StatsPtr withUsualBins(const StatsPtr& fine);

} // namespace wb::stats
