// SPDX-License-Identifier: MIT
#include "core/stats/elements.h"
#include "core/stats/engine/engines.h"
#include "core/stats/sort_key.h"
#include "core/stats/moments.h"
#include "core/stats/engine/rank_search.h"
#include "core/stats/rules.h"
#include "core/stats/engine/top_list.h"
#include "core/stats/engine/word_counter.h"

#include <deque>

namespace wb::stats {
namespace {

template <typename T>
constexpr unsigned keyBits = 8 * sizeof(T);

template <typename T>
std::uint64_t magnitudeKey(T value) {
    if constexpr (std::floating_point<T>) return toSortKey(std::abs(value));
    else if constexpr (std::signed_integral<T>)
        return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    else return value;
}

template <typename T>
bool isFiniteNumber(T value) {
    if constexpr (std::floating_point<T>) return std::isfinite(value);
    else return true;
}

template <typename T>
class WideFirstPass {
public:
    WideFirstPass(WordTotals& digits) : m_digits(digits) {}

    // Counts what can be counted without knowing the rest; the moments of finite values.
    Moments at(std::span<const T> values, std::uint64_t first, double normal) {
        m_finite.clear();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const T value = values[i];
            countKind(value, normal);
            if (!isFiniteNumber(value)) continue;
            const auto key = toSortKey(value);
            m_min = std::min(m_min, key);
            m_max = std::max(m_max, key);
            if (const auto magnitude = magnitudeKey(value); m_top.accepts(magnitude)) m_top.add({magnitude, first + i, key});
            m_digits.add(static_cast<std::uint16_t>(key >> (keyBits<T> - 16)));
            m_finite.push_back(static_cast<double>(value));
        }
        return computeMoments(m_finite);
    }

    void finish(TensorStats& stats, SortKeyOf<T>& min, SortKeyOf<T>& max, TopList& top) {
        m_digits.finish();
        min = std::min(min, m_min);
        max = std::max(max, m_max);
        top.add(m_top);
        stats.nan += m_nan;
        stats.inf += m_inf;
        stats.zeros += m_zeros;
        stats.denormal += m_subnormals;
    }

private:
    void countKind(T value, double normal) {
        m_zeros += value == 0;
        if constexpr (std::floating_point<T>) {
            m_nan += std::isnan(value);
            m_inf += std::isinf(value);
            m_subnormals += value != 0 && std::abs(value) < normal;
        }
    }

    WordCounter m_digits;
    SortKeyOf<T> m_min = std::numeric_limits<SortKeyOf<T>>::max();
    SortKeyOf<T> m_max = 0;
    TopList m_top;
    std::vector<double> m_finite;
    std::uint64_t m_nan = 0;
    std::uint64_t m_inf = 0;
    std::uint64_t m_zeros = 0;
    std::uint64_t m_subnormals = 0;
};

// The values of the wide type that `Loader` reads, through all passes.
template <typename Loader>
class WideEngine {
public:
    using T = std::invoke_result_t<Loader, std::span<const std::byte>, std::size_t>;

    WideEngine(SlabTask& task, Loader loader) : m_task(task), m_load(loader) {}

    Result<TensorStats> run() {
        WB_TRY(runFirstPass());
        if (m_stats.finite == 0) return std::move(m_stats);
        while (!m_ranks->done()) WB_TRY(runNextPass());
        m_stats.percentiles.emplace();
        std::ranges::transform(m_ranks->keys(), m_stats.percentiles->begin(), elementFromKey);
        return std::move(m_stats);
    }

private:
    struct Buffer {
        std::vector<std::byte> bytes;
        std::vector<T> values;
    };

    static Element elementFromKey(std::uint64_t key) { return toElement(fromSortKey<T>(static_cast<SortKeyOf<T>>(key))); }

    // Calls visit(tile's values, index of its first element) for the tiles of the slab.
    template <typename Visit>
    Result<void> forEachTile(Buffer& buffer, const Slab& slab, Visit visit) {
        buffer.bytes.resize(m_task.reader().byteCount(slab.count));
        buffer.values.resize(std::min<std::uint64_t>(slab.count, tileElements));
        WB_TRY(m_task.reader().readRaw(slab.first, slab.count, buffer.bytes));
        for (std::size_t begin = 0; begin < slab.count; begin += tileElements) {
            const std::size_t count = std::min<std::size_t>(tileElements, slab.count - begin);
            for (std::size_t i = 0; i < count; ++i) buffer.values[i] = m_load(buffer.bytes, begin + i);
            visit(std::span<const T>(buffer.values).first(count), slab.first + begin);
        }
        return {};
    }

    struct FirstWorker {
        Buffer buffer;
        WideFirstPass<T> pass;
    };

    Result<void> runFirstPass() {
        WordTotals digits;
        std::vector<FirstWorker> workers;
        for (unsigned w = m_task.workers(m_task.slabs()); w > 0; --w) workers.push_back({{}, WideFirstPass<T>(digits)});
        std::vector<Moments> moments(m_task.slabs());
        const double normal = smallestNormal(m_task.dtype());
        const auto visit = [&](FirstWorker& worker, const Slab& slab) -> Result<void> {
            MomentTree tree;
            WB_TRY(forEachTile(worker.buffer, slab, [&](std::span<const T> values, std::uint64_t first) {
                tree.add(worker.pass.at(values, first, normal));
            }));
            moments[slab.index] = tree.total();
            return {};
        };
        WB_TRY(forEachSlab(m_task, workers, visit));
        finishFirstPass(workers, moments, digits);
        return {};
    }

    void finishFirstPass(std::vector<FirstWorker>& workers, const std::vector<Moments>& moments, const WordTotals& digits) {
        auto min = std::numeric_limits<SortKeyOf<T>>::max();
        SortKeyOf<T> max = 0;
        TopList top;
        for (FirstWorker& worker : workers) worker.pass.finish(m_stats, min, max, top);
        m_stats.count = m_task.elements();
        m_stats.finite = m_stats.count - m_stats.nan - m_stats.inf;
        if (m_stats.finite == 0) return;
        m_stats.min = elementFromKey(min);
        m_stats.max = elementFromKey(max);
        for (const TopList::Candidate& one : top.list()) m_stats.top.push_back({one.index, elementFromKey(one.key)});
        if constexpr (std::floating_point<T>) m_stats.absmax = std::abs(asDouble(m_stats.top.front().value));
        else m_stats.absmax = top.list().front().magnitude;
        MomentTree tree;
        for (const Moments& part : moments) tree.add(part);
        describe(tree.total(), asDouble(*m_stats.min) == asDouble(*m_stats.max), m_stats);
        m_stats.histogram =
            Histogram{asDouble(*m_stats.min), asDouble(*m_stats.max), std::vector<std::uint64_t>(m_task.options().bins)};
        m_ranks.emplace(m_stats.finite, keyBits<T>);
        m_ranks->narrow(std::span(&digits.counts(), 1));
    }

    struct NextWorker {
        Buffer buffer;
        std::vector<WordCounter> digits;
        std::vector<std::uint64_t> bins;
        std::uint64_t outliers = 0;
    };

    // The first of the later passes also fills the histogram.
    Result<void> runNextPass() {
        const bool fillBins = m_ranks->shift() + 32 == keyBits<T>;
        const BinRule bin(m_stats.histogram->low, m_stats.histogram->high, m_task.options().bins);
        const OutlierRule isOutlier(*m_stats.mean, *m_stats.std, asDouble(*m_stats.absmax));
        std::deque<WordTotals> digits(m_ranks->prefixes().size());
        std::vector<NextWorker> workers(m_task.workers(m_task.slabs()));
        for (NextWorker& worker : workers) {
            for (WordTotals& totals : digits) worker.digits.emplace_back(totals);
            worker.bins.resize(m_task.options().bins);
        }
        const auto visit = [&](NextWorker& worker, const Slab& slab) {
            return forEachTile(worker.buffer, slab, [&](std::span<const T> values, std::uint64_t) {
                for (const T value : values) {
                    if (!isFiniteNumber(value)) continue;
                    countDigit(worker, toSortKey(value));
                    if (!fillBins) continue;
                    ++worker.bins[bin(static_cast<double>(value))];
                    worker.outliers += isOutlier(static_cast<double>(value));
                }
            });
        };
        WB_TRY(forEachSlab(m_task, workers, visit));
        std::vector<RankSearch::Table> tables;
        for (NextWorker& worker : workers) finish(worker, fillBins);
        for (const WordTotals& totals : digits) tables.push_back(totals.counts());
        m_ranks->narrow(tables);
        return {};
    }

    void countDigit(NextWorker& worker, std::uint64_t key) const {
        const unsigned shift = m_ranks->shift();
        const std::uint64_t prefix = key >> (shift + 16);
        const auto& prefixes = m_ranks->prefixes();
        for (std::size_t i = 0; i < prefixes.size(); ++i)
            if (prefixes[i] == prefix) worker.digits[i].add(static_cast<std::uint16_t>(key >> shift));
    }

    void finish(NextWorker& worker, bool fillBins) {
        for (WordCounter& digits : worker.digits) digits.finish();
        if (!fillBins) return;
        for (std::size_t i = 0; i < worker.bins.size(); ++i) m_stats.histogram->counts[i] += worker.bins[i];
        m_stats.outliers6 += worker.outliers;
    }

    SlabTask& m_task;
    Loader m_load;
    TensorStats m_stats;
    std::optional<RankSearch> m_ranks;
};

} // namespace

Result<TensorStats> computeWide(SlabTask& task) {
    return visitWide(task.dtype(), [&](auto loader) { return WideEngine(task, loader).run(); });
}

std::uint64_t passesWide(Dtype dtype) { return dtype == Dtype::I32 || dtype == Dtype::U32 ? 2 : 4; }

} // namespace wb::stats
