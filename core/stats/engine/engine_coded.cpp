// SPDX-License-Identifier: MIT
#include "core/stats/engine/coded_slab.h"
#include "core/stats/distribution.h"
#include "core/stats/elements.h"
#include "core/stats/engine/engines.h"
#include "core/stats/sort_key.h"
#include "core/stats/engine/tile_kernels.h"
#include "core/stats/engine/top_list.h"
#include "core/stats/engine/word_counter.h"

namespace wb::stats {
namespace {

using Counts = std::vector<std::uint64_t>;

struct CountingWorker {
    CodedSlab slab;
    WordCounter counter;
};

// Whether the magnitude of a 16-bit word is the word without its sign, so that a slab's largest one can be had cheaply.
bool isHalf(Dtype dtype) { return dtype == Dtype::F16 || dtype == Dtype::BF16; }

// How often each code occurs; for 16-bit floats also the largest magnitude of every slab.
Result<Counts> countCodes(SlabTask& task, const CodeLayout& layout, std::vector<std::uint16_t>& slabMagnitudes) {
    WordTotals totals;
    std::vector<CountingWorker> workers;
    for (unsigned w = task.workers(task.slabs()); w > 0; --w) workers.push_back({CodedSlab(task.reader()), WordCounter(totals)});
    slabMagnitudes.assign(task.slabs(), 0xFFFF);
    const bool half = isHalf(task.dtype());
    const auto visit = [&](CountingWorker& worker, const Slab& slab) -> Result<void> {
        WB_TRY(worker.slab.read(slab));
        const auto words = worker.slab.words();
        worker.counter.add(words.data(), words.size(), 1);
        if (half) slabMagnitudes[slab.index] = maxMagnitude(words);
        return {};
    };
    WB_TRY(forEachSlab(task, workers, visit));
    for (CountingWorker& worker : workers) worker.counter.finish();
    Counts codes(layout.codes());
    for (std::uint32_t word = 0; word < layout.words(); ++word)
        for (unsigned at = 0; at < layout.codesPerWord; ++at) codes[layout.code(word, at)] += totals.counts()[word];
    const std::uint64_t unused = task.elements() % layout.codesPerWord;
    if (unused != 0) codes[0] -= layout.codesPerWord - unused; // what filled up the last word
    return codes;
}

// A set of 16-bit words.
class WordSet {
public:
    WordSet() : m_bits(wordCount) {}
    void insert(std::uint16_t word) { m_bits[word] = true; }
    bool contains(std::uint16_t word) const { return m_bits[word]; }

private:
    std::vector<bool> m_bits;
};

// The values that the ten largest elements have.
struct Wanted {
    std::uint64_t above = 0;       // elements with a larger magnitude than the threshold: all of them are in the list
    std::uint64_t atThreshold = 0; // of these so many, the first ones
    float threshold = 0;
    WordSet words; // that contain a wanted code
};

Wanted findWanted(const Counts& counts, const std::vector<float>& values, const CodeLayout& layout) {
    std::vector<std::uint32_t> codes;
    for (std::uint32_t code = 0; code < counts.size(); ++code)
        if (counts[code] != 0 && std::isfinite(values[code])) codes.push_back(code);
    std::ranges::sort(codes, std::ranges::greater{}, [&](std::uint32_t code) { return std::abs(values[code]); });
    Wanted wanted;
    std::uint64_t found = 0;
    for (const std::uint32_t code : codes) {
        const float magnitude = std::abs(values[code]);
        if (found >= topCount && magnitude < wanted.threshold) break;
        if (magnitude != wanted.threshold || found == 0) wanted.above = found;
        wanted.threshold = magnitude;
        found += counts[code];
    }
    wanted.atThreshold = std::min<std::uint64_t>(found, topCount) - wanted.above;
    for (std::uint32_t word = 0; word < layout.words(); ++word)
        for (unsigned at = 0; at < layout.codesPerWord; ++at) {
            const float value = values[layout.code(word, at)];
            if (std::isfinite(value) && std::abs(value) >= wanted.threshold) wanted.words.insert(static_cast<std::uint16_t>(word));
        }
    return wanted;
}

// Searches the wanted elements slab by slab. Once all elements above the threshold and enough at it are found, no slab behind those
// in which they were found can hold one of the ten. One before them can: its thread may have waited while others searched.
class TopSearch {
public:
    TopSearch(const SlabTask& task, const Wanted& wanted, const std::vector<float>& values, const CodeLayout& layout)
        : m_elements(task.elements()), m_wanted(wanted), m_values(values), m_layout(layout) {}

    bool isDecided(const Slab& slab) const {
        const bool isComplete = m_above >= m_wanted.above && m_atThreshold >= m_wanted.atThreshold;
        return isComplete && slab.index >= m_searched;
    }

    void addWords(std::span<const std::uint16_t> words, const Slab& slab, TopList& list) {
        // Before anything is counted, so that who sees the counts sees this too.
        for (std::uint64_t last = m_searched; last <= slab.index && !m_searched.compare_exchange_weak(last, slab.index + 1);) {
        }
        for (std::size_t i = 0; i < words.size(); ++i)
            if (m_wanted.words.contains(words[i])) add(words[i], slab.first + i * m_layout.codesPerWord, list);
    }

private:
    void add(std::uint16_t word, std::uint64_t first, TopList& list) {
        for (unsigned at = 0; at < m_layout.codesPerWord; ++at) {
            const float value = m_values[m_layout.code(word, at)];
            const float magnitude = std::abs(value);
            if (!std::isfinite(value) || magnitude < m_wanted.threshold || first + at >= m_elements) continue;
            ++(magnitude == m_wanted.threshold ? m_atThreshold : m_above);
            list.add({toSortKey(magnitude), first + at, toSortKey(value)});
        }
    }

    std::uint64_t m_elements;
    const Wanted& m_wanted;
    const std::vector<float>& m_values;
    const CodeLayout& m_layout;
    std::atomic<std::uint64_t> m_searched{0}; // every slab that was searched has a lower index
    std::atomic<std::uint64_t> m_above{0};
    std::atomic<std::uint64_t> m_atThreshold{0};
};

struct SearchingWorker {
    CodedSlab slab;
    TopList list;
};

Result<TopList> findTop(SlabTask& task, const Wanted& wanted, const std::vector<float>& values, const CodeLayout& layout,
                        const std::vector<std::uint16_t>& slabMagnitudes) {
    TopSearch search(task, wanted, values, layout);
    // The word of the threshold: 16-bit floats are the upper or the middle bits of the f32, and their order is that of the words.
    std::uint32_t min = 0;
    if (isHalf(task.dtype()))
        while (values[min] != wanted.threshold) ++min;
    std::vector<SearchingWorker> workers;
    for (unsigned w = task.workers(task.slabs()); w > 0; --w) workers.push_back({CodedSlab(task.reader()), {}});
    const auto visit = [&](SearchingWorker& worker, const Slab& slab) -> Result<void> {
        if (slabMagnitudes[slab.index] < min || search.isDecided(slab)) return {};
        WB_TRY(worker.slab.read(slab));
        search.addWords(worker.slab.words(), slab, worker.list);
        return {};
    };
    WB_TRY(forEachSlab(task, workers, visit));
    TopList top;
    for (const SearchingWorker& worker : workers) top.add(worker.list);
    return top;
}

} // namespace

Result<TensorStats> computeCoded(SlabTask& task) {
    const CodeLayout layout = codeLayout(task.dtype());
    const std::vector<float> values = codeValues(task.dtype());
    std::vector<std::uint16_t> slabMagnitudes;
    WB_TRY_ASSIGN(const Counts counts, countCodes(task, layout, slabMagnitudes));
    std::vector<ValueCount> distribution;
    for (std::uint32_t code = 0; code < layout.codes(); ++code)
        if (counts[code] != 0) distribution.push_back({values[code], counts[code]});
    TensorStats stats;
    describeDistribution(std::move(distribution), task.dtype(), task.options().bins, stats);
    if (stats.finite == 0) return stats;
    WB_TRY_ASSIGN(const TopList top, findTop(task, findWanted(counts, values, layout), values, layout, slabMagnitudes));
    for (const TopList::Candidate& one : top.list())
        stats.top.push_back({one.index, toElement(task.dtype(), fromSortKey<float>(static_cast<std::uint32_t>(one.key)))});
    return stats;
}

} // namespace wb::stats
