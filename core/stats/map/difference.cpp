// SPDX-License-Identifier: MIT
#include "core/stats/map/difference.h"

#include "core/stats/map/map_build.h"
#include "core/stats/slabs.h"
#include "core/stats/value_reader.h"

#include <atomic>
#include <bit>
#include <cmath>

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

struct Worker {
    ValueReader original, other;
};

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
    const std::uint64_t count = original.elements(), slabs = slabCount(count);
    std::vector<Sums> sums(slabs);
    std::vector<Worker> workers;
    for (unsigned w = jobs::loopWidth(slabs, threads); w > 0; --w) workers.push_back({ValueReader(original), ValueReader(other)});
    std::atomic<std::uint64_t> done{0};
    const auto work = [&](std::uint64_t index, unsigned slot) -> Result<void> {
        const std::uint64_t first = index * slabElements;
        const auto length = static_cast<std::size_t>(std::min(slabElements, count - first));
        WB_TRY_ASSIGN(const auto w, workers[slot].original.read(first, length));
        WB_TRY_ASSIGN(const auto v, workers[slot].other.read(first, length));
        for (std::size_t i = 0; i < length; ++i) sums[index].add(w[i], v[i], first + i);
        return progress.at(done += length, count);
    };
    WB_TRY(jobs::parallelFor(slabs, threads, progress.stop, work));
    WB_TRY(original.checkUnchanged());
    WB_TRY(other.checkUnchanged());
    Sums all;
    for (const Sums& slab : sums) all.add(slab);
    return describe(all, count);
}

} // namespace wb::stats
