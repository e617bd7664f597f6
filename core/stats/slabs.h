// SPDX-License-Identifier: MIT
#pragma once

#include "core/jobs/thread_pool.h"
#include "core/stats/stats.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace wb::stats {

// The leaf of all reductions, and a multiple of every block size.
inline constexpr std::size_t tileElements = 4096;

// What one worker reads at a time: small enough that the bytes are still in its second-level cache when they are reduced. The
// division into slabs depends on nothing but the tensor, which is why no result depends on the threads.
inline constexpr std::uint64_t slabElements = 16 * tileElements;

struct Slab {
    std::uint64_t index;
    std::uint64_t first; // element
    std::uint64_t count; // elements
};

inline std::uint64_t slabCount(std::uint64_t elements) { return elements / slabElements + (elements % slabElements != 0); }

// One computation: its tensor, options and progress. Thread-safe.
class SlabTask {
public:
    SlabTask(const TensorReader& reader, const Options& options, const Progress& progress, std::uint64_t passes)
        : m_reader(reader), m_options(options), m_progress(progress), m_total(passes * reader.byteCount(reader.elements())) {}

    const TensorReader& reader() const { return m_reader; }
    const Options& options() const { return m_options; }
    Dtype dtype() const { return m_reader.dtype(); }
    std::uint64_t elements() const { return m_reader.elements(); }
    std::uint64_t slabs() const { return slabCount(elements()); }
    Slab slab(std::uint64_t index) const {
        const std::uint64_t first = index * slabElements;
        return {index, first, std::min(slabElements, elements() - first)};
    }
    const std::stop_token& stop() const { return m_progress.stop; }

    // Adds bytes that a pass has finished.
    Result<void> advance(std::uint64_t bytes) { return m_progress.at(m_done += bytes, m_total); }

    // Reports 100 %, also where a pass was not needed. Changed if the file changed between the passes.
    Result<void> complete() {
        WB_TRY(m_reader.checkUnchanged());
        return m_progress.at(m_total, m_total);
    }

    // The number of workers for `items` pieces of work.
    unsigned workers(std::uint64_t items) const { return jobs::loopWidth(items, m_options.threads); }

private:
    const TensorReader& m_reader;
    const Options& m_options;
    const Progress& m_progress;
    std::uint64_t m_total;
    std::atomic<std::uint64_t> m_done{0};
};

// Runs visit(worker, slab) over all slabs. `workers` are the states of the threads, as many as SlabTask::workers() says at most,
// each used by one thread at a time; the slabs of one worker ascend. visit returns Result<void>.
template <typename Worker, typename Visit>
Result<void> forEachSlab(SlabTask& task, std::vector<Worker>& workers, Visit visit) {
    const auto threads = static_cast<unsigned>(workers.size());
    return jobs::parallelFor(task.slabs(), threads, task.stop(), [&](std::uint64_t index, unsigned slot) -> Result<void> {
        const Slab slab = task.slab(index);
        WB_TRY(visit(workers[slot], slab));
        return task.advance(task.reader().byteCount(slab.count));
    });
}

} // namespace wb::stats
