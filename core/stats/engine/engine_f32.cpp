// SPDX-License-Identifier: MIT
#include "core/stats/engine/engines.h"
#include "core/stats/engine/f32_slab.h"
#include "core/stats/sort_key.h"
#include "core/stats/engine/second_pass.h"
#include "core/stats/engine/top_list.h"

#include <bit>
#include <cmath>
#include <deque>

namespace wb::stats {
namespace {

std::uint32_t magnitudeBits(float value) { return std::bit_cast<std::uint32_t>(value) & INT32_MAX; }

float fromSignedKey(std::int32_t value) { return std::bit_cast<float>(toSignedKey(value)); }

// The finite values of a tile, copied to `out`.
std::span<const float> finiteOnes(std::span<const float> values, std::vector<float>& out) {
    out.clear();
    std::ranges::copy_if(values, std::back_inserter(out), [](float value) { return magnitudeBits(value) < infinityBits; });
    return out;
}

// One worker's part of the first pass.
class FirstPass {
public:
    FirstPass(const TensorReader& reader, WordTotals& upperHalves) : m_slab(reader), m_upperHalves(upperHalves) {}

    Result<Moments> at(const Slab& slab);

    void finish(TensorStats& stats, TileRange& range, TopList& top);

private:
    Moments atTile(std::span<const float> values, std::uint64_t first);
    void countNonFinite(std::span<const float> values);
    void collectTop(std::span<const float> values, std::uint64_t first);

    F32Slab m_slab;
    WordCounter m_upperHalves;
    TopList m_top;
    TileRange m_range; // of finite values
    std::uint64_t m_nan = 0;
    std::uint64_t m_inf = 0;
    std::uint64_t m_zeros = 0;
    std::uint64_t m_subnormals = 0;
    std::vector<float> m_finite;
};

Result<Moments> FirstPass::at(const Slab& slab) {
    WB_TRY(m_slab.read(slab));
    MomentTree tree;
    for (std::size_t tile = 0; tile < m_slab.tiles(); ++tile) tree.add(atTile(m_slab.tile(tile), m_slab.first(tile)));
    return tree.total();
}

bool isFinite(const TileRange& range) {
    return range.max < static_cast<std::int32_t>(infinityBits) && range.min > toSignedKey(std::bit_cast<std::int32_t>(-INFINITY));
}

Moments FirstPass::atTile(std::span<const float> all, std::uint64_t first) {
    auto values = all;
    TileRange range = computeRange(values);
    if (!isFinite(range)) {
        countNonFinite(all);
        values = finiteOnes(all, m_finite);
        range = computeRange(values);
    }
    if (values.empty()) return {};
    m_range.min = std::min(m_range.min, range.min);
    m_range.max = std::max(m_range.max, range.max);
    if (range.minMagnitude < smallestNormalBits) {
        const TinyCounts tiny = countTiny(values);
        m_zeros += tiny.zeros;
        m_subnormals += tiny.subnormals;
    }
    if (m_top.accepts(std::max(magnitudeBits(fromSignedKey(range.min)), magnitudeBits(fromSignedKey(range.max)))))
        collectTop(all, first);
    constexpr std::size_t upper = 1; // of the two halves of a little-endian word
    m_upperHalves.add(reinterpret_cast<const std::uint16_t*>(values.data()) + upper, values.size(), 2);
    return computeMoments(values, range.sum);
}

void FirstPass::countNonFinite(std::span<const float> values) {
    for (const float value : values) {
        m_inf += magnitudeBits(value) == infinityBits;
        m_nan += magnitudeBits(value) > infinityBits;
    }
}

void FirstPass::collectTop(std::span<const float> values, std::uint64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t magnitude = magnitudeBits(values[i]);
        if (magnitude < infinityBits && m_top.accepts(magnitude)) m_top.add({magnitude, first + i, toSortKey(values[i])});
    }
}

void FirstPass::finish(TensorStats& stats, TileRange& range, TopList& top) {
    m_upperHalves.finish();
    top.add(m_top);
    range.min = std::min(range.min, m_range.min);
    range.max = std::max(range.max, m_range.max);
    stats.nan += m_nan;
    stats.inf += m_inf;
    stats.zeros += m_zeros;
    stats.denormal += m_subnormals;
}

// The counts in the order of the numbers, as the rank search wants them.
RankSearch::Table ordered(const std::vector<std::uint64_t>& counts) {
    RankSearch::Table table(wordCount);
    for (std::uint32_t word = 0; word < wordCount; ++word)
        table[toSortKey(std::bit_cast<float>(word << 16)) >> 16 & 0xFFFF] += counts[word];
    return table;
}

// Digits of negative values are counted as stored and run the other way.
RankSearch::Table orderedDigits(const WordTotals& digits, std::uint64_t prefix) {
    RankSearch::Table table = digits.counts();
    constexpr std::uint64_t positive = 0x8000;
    if (prefix < positive) std::ranges::reverse(table);
    return table;
}

Result<void> runFirstPass(SlabTask& task, TensorStats& stats, WordTotals& upperHalves) {
    std::vector<FirstPass> workers;
    for (unsigned w = task.workers(task.slabs()); w > 0; --w) workers.emplace_back(task.reader(), upperHalves);
    std::vector<Moments> moments(task.slabs());
    const auto visit = [&](FirstPass& pass, const Slab& slab) -> Result<void> {
        WB_TRY_ASSIGN(moments[slab.index], pass.at(slab));
        return {};
    };
    WB_TRY(forEachSlab(task, workers, visit));
    TileRange range;
    TopList top;
    for (FirstPass& pass : workers) pass.finish(stats, range, top);
    stats.count = task.elements();
    stats.finite = stats.count - stats.nan - stats.inf;
    if (stats.finite == 0) return {};
    stats.min = double{fromSignedKey(range.min)};
    stats.max = double{fromSignedKey(range.max)};
    for (const TopList::Candidate& one : top.list())
        stats.top.push_back({one.index, double{fromSortKey<float>(static_cast<std::uint32_t>(one.key))}});
    stats.absmax = std::abs(asDouble(stats.top.front().value));
    MomentTree tree;
    for (const Moments& part : moments) tree.add(part);
    describe(tree.total(), asDouble(*stats.min) == asDouble(*stats.max), stats);
    return {};
}

// Adds the counts of pairs of bins, one bin a byte.
void addPairs(const WordTotals& spread, std::vector<std::uint64_t>& bins) {
    for (std::uint32_t index = 0; index < wordCount; ++index) {
        if (const std::uint64_t count = spread.counts()[index]; count != 0) {
            const std::uint16_t pair = spreadPair(static_cast<std::uint16_t>(index));
            bins[pair & 0xFF] += count;
            bins[pair >> 8] += count;
        }
    }
}

struct SecondWorker {
    F32Slab slab;
    SecondPass pass;
    std::vector<float> finite;
};

Result<void> runSecondPass(SlabTask& task, TensorStats& stats, const WordTotals& upperHalves) {
    const double low = asDouble(*stats.min);
    const double high = asDouble(*stats.max);
    RankSearch ranks(stats.finite, 32);
    const RankSearch::Table radix = ordered(upperHalves.counts());
    ranks.narrow(std::span(&radix, 1));
    const SecondPassPlan plan(upperHalves.counts(), BinRule(low, high, task.options().bins),
                              OutlierRule(*stats.mean, *stats.std, asDouble(*stats.absmax)), ranks);
    std::deque<WordTotals> totals(ranks.prefixes().size());
    WordTotals binPairs;
    std::vector<SecondWorker> workers;
    for (unsigned w = task.workers(task.slabs()); w > 0; --w)
        workers.push_back({F32Slab(task.reader()), SecondPass(plan, totals, binPairs), {}});
    const bool allFinite = stats.finite == stats.count;
    const auto visit = [allFinite](SecondWorker& worker, const Slab& slab) -> Result<void> {
        WB_TRY(worker.slab.read(slab));
        for (std::size_t tile = 0; tile < worker.slab.tiles(); ++tile) {
            const auto values = worker.slab.tile(tile);
            worker.pass.at(allFinite ? values : finiteOnes(values, worker.finite));
        }
        return {};
    };
    WB_TRY(forEachSlab(task, workers, visit));
    stats.histogram = Histogram{low, high, std::vector<std::uint64_t>(task.options().bins)};
    stats.outliers6 = plan.decidedOutliers();
    for (SecondWorker& worker : workers) worker.pass.finish(stats.histogram->counts, stats.outliers6);
    addPairs(binPairs, stats.histogram->counts);
    std::vector<RankSearch::Table> digits;
    for (std::size_t i = 0; i < totals.size(); ++i) digits.push_back(orderedDigits(totals[i], ranks.prefixes()[i]));
    ranks.narrow(digits);
    stats.percentiles.emplace();
    std::ranges::transform(ranks.keys(), stats.percentiles->begin(),
                           [](std::uint64_t key) { return double{fromSortKey<float>(static_cast<std::uint32_t>(key))}; });
    return {};
}

} // namespace

Result<TensorStats> computeF32(SlabTask& task) {
    TensorStats stats;
    WordTotals upperHalves;
    WB_TRY(runFirstPass(task, stats, upperHalves));
    if (stats.finite != 0) WB_TRY(runSecondPass(task, stats, upperHalves));
    return stats;
}

} // namespace wb::stats
