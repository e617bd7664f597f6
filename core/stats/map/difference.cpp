// SPDX-License-Identifier: MIT
#include "core/stats/map/difference.h"

#include "core/stats/map/map_build.h"
#include "core/stats/slabs.h"
#include "core/stats/value_reader.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

struct Sums {
    std::uint64_t compared = 0, changed = 0, maxIndex = 0;
    double absolute = 0, errors = 0, original = 0, other = 0, product = 0;
    double maxError = -1;

    void add(double w, double v, std::uint64_t index) {
        changed += std::bit_cast<std::uint64_t>(w) != std::bit_cast<std::uint64_t>(v) && !(std::isnan(w) && std::isnan(v));
        if (!std::isfinite(w) || !std::isfinite(v)) return;
        const double error = std::abs(w - v);
        ++compared;
        absolute += error;
        errors += error * error;
        original += w * w;
        other += v * v;
        product += w * v;
        if (error <= maxError) return;
        maxError = error;
        maxIndex = index;
    }

    void add(const Sums& next) {
        compared += next.compared;
        changed += next.changed;
        absolute += next.absolute;
        errors += next.errors;
        original += next.original;
        other += next.other;
        product += next.product;
        if (next.maxError <= maxError) return;
        maxError = next.maxError;
        maxIndex = next.maxIndex;
    }
};

// How often each half of the bits of an f32 occurs. Those of numbers without a sign have the order of the numbers.
using Histogram = std::vector<std::uint64_t>;
constexpr std::size_t halves = 1 << 16;
constexpr double nearlyAll = 0.999;

struct Worker {
    ValueReader original, other;
    Histogram histogram = Histogram(halves);
};

std::uint32_t errorKey(double w, double v) {
    const auto error = static_cast<float>(std::min(std::abs(w - v), static_cast<double>(std::numeric_limits<float>::max())));
    return std::bit_cast<std::uint32_t>(error);
}

// The half in which the entry of this rank, from 1, is, and its rank there.
struct RankPlace {
    std::uint32_t half = 0;
    std::uint64_t rank = 0;
};

RankPlace rankPlace(const std::vector<Worker>& workers, std::uint64_t rank) {
    for (std::uint32_t half = 0; half < halves; ++half) {
        std::uint64_t count = 0;
        for (const Worker& worker : workers) count += worker.histogram[half];
        if (rank <= count) return {half, rank};
        rank -= count;
    }
    return {};
}

// Reads pairs of values in slabs. Safe to share among threads.
class Pairs {
public:
    Pairs(const TensorReader& original, const TensorReader& other, unsigned threads, const Progress& progress)
        : m_count(original.elements()), m_threads(threads), m_progress(progress) {
        for (unsigned w = jobs::loopWidth(slabCount(m_count), threads); w > 0; --w)
            workers.push_back({ValueReader(original), ValueReader(other)});
    }

    // Calls `use` with each slab's number, its worker and its values, in any order.
    template <typename Use>
    Result<void> eachSlab(const Use& use) {
        const auto work = [&](std::uint64_t index, unsigned slot) -> Result<void> {
            const std::uint64_t first = index * slabElements;
            const auto length = static_cast<std::size_t>(std::min(slabElements, m_count - first));
            WB_TRY_ASSIGN(const auto w, workers[slot].original.read(first, length));
            WB_TRY_ASSIGN(const auto v, workers[slot].other.read(first, length));
            use(index, workers[slot], w, v);
            return m_progress.at(m_done += length, 2 * m_count);
        };
        return jobs::parallelFor(slabCount(m_count), m_threads, m_progress.stop, work);
    }

    std::vector<Worker> workers;

private:
    std::uint64_t m_count;
    unsigned m_threads;
    const Progress& m_progress;
    std::atomic<std::uint64_t> m_done{0};
};

// In two passes over the values, the first of which has filled the histograms with the upper halves.
Result<float> pairsPercentile(Pairs& pairs, std::uint64_t compared) {
    const double wanted = std::ceil(nearlyAll * static_cast<double>(compared));
    const RankPlace upper = rankPlace(pairs.workers, std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, compared));
    for (Worker& worker : pairs.workers) std::ranges::fill(worker.histogram, 0);
    WB_TRY(pairs.eachSlab([&](std::uint64_t, Worker& worker, const auto& w, const auto& v) {
        for (std::size_t i = 0; i < w.size(); ++i) {
            if (!std::isfinite(w[i]) || !std::isfinite(v[i])) continue;
            if (const std::uint32_t key = errorKey(w[i], v[i]); key >> 16 == upper.half) ++worker.histogram[key & 0xFFFF];
        }
    }));
    return std::bit_cast<float>(upper.half << 16 | rankPlace(pairs.workers, upper.rank).half);
}

Difference describe(const Sums& sums, std::uint64_t count) {
    Difference difference;
    difference.count = count;
    difference.compared = sums.compared;
    difference.changed = sums.changed;
    if (sums.compared == 0) return difference;
    const auto n = static_cast<double>(sums.compared);
    difference.mae = sums.absolute / n;
    difference.rmse = std::sqrt(sums.errors / n);
    difference.maxError = sums.maxError;
    difference.maxIndex = sums.maxIndex;
    if (sums.original > 0) {
        difference.relativeRmse = std::sqrt(sums.errors / sums.original);
        difference.snr = 10 * std::log10(sums.original / sums.errors); // of nothing: infinite
    }
    if (sums.original > 0 && sums.other > 0) difference.cosine = sums.product / (std::sqrt(sums.original) * std::sqrt(sums.other));
    return difference;
}

} // namespace

Result<Difference> compareTensors(const TensorReader& original, const TensorReader& other, unsigned threads,
                                  const Progress& progress) {
    WB_TRY(checkInput({&original, &other}, Matrix{0, 0, 0}));
    const std::uint64_t count = original.elements();
    std::vector<Sums> sums(slabCount(count));
    Pairs pairs(original, other, threads, progress);
    WB_TRY(pairs.eachSlab([&](std::uint64_t index, Worker& worker, const auto& w, const auto& v) {
        for (std::size_t i = 0; i < w.size(); ++i) {
            sums[index].add(w[i], v[i], index * slabElements + i);
            if (std::isfinite(w[i]) && std::isfinite(v[i])) ++worker.histogram[errorKey(w[i], v[i]) >> 16];
        }
    }));
    Sums all;
    for (const Sums& slab : sums) all.add(slab);
    Difference difference = describe(all, count);
    if (difference.compared > 0) {
        WB_TRY_ASSIGN(difference.nearlyMax, pairsPercentile(pairs, difference.compared));
    }
    WB_TRY(original.checkUnchanged());
    WB_TRY(other.checkUnchanged());
    return difference;
}

} // namespace wb::stats
