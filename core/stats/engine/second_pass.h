// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/engine/rank_search.h"
#include "core/stats/rules.h"
#include "core/stats/engine/tile_kernels.h"
#include "core/stats/engine/word_counter.h"

#include <deque>

namespace wb::stats {

// Values that the second pass over f32 values still has to test, given minimum, maximum, moments and the radix histogram (counts by
// the upper halves) of the first pass: the bin of every value, but rank and outlier rule of few. All values with the same upper
// half are between two bounds; if both bounds are on the same side of the outlier limit, the count alone decides.
class SecondPassPlan {
public:
    SecondPassPlan(const std::vector<std::uint64_t>& counts, const BinRule& bin, const OutlierRule& outlier,
                   const RankSearch& ranks);

    const BinRule& bin() const { return m_bin; }
    const OutlierRule& outlier() const { return m_outlier; }
    std::uint64_t decidedOutliers() const { return m_decidedOutliers; }

    // The tests that values with one upper half still need.
    struct Checks {
        std::int8_t rank = -1; // index of the rank search's prefix they belong to, or -1
        bool outlier = false;  // whether each value must be compared with the outlier limit
    };
    const Checks& checks(std::uint16_t upper) const { return m_checks[upper]; }

    // The upper halves that need a test: those of at most nine ranks and those around the outlier limits.
    const UpperHalves& undecided() const { return m_undecided; }

private:
    void decideOutliers(std::uint16_t upper, std::uint64_t count);

    BinRule m_bin;
    OutlierRule m_outlier;
    UpperHalves m_undecided;
    std::vector<Checks> m_checks;
    std::uint64_t m_decidedOutliers = 0;
};

// One worker's part of the second pass.
class SecondPass {
public:
    // `digits`: the counts of the lower halves, one a prefix of the rank search; `binPairs`: see m_binPairs.
    SecondPass(const SecondPassPlan& plan, std::deque<WordTotals>& digits, WordTotals& binPairs);

    void at(std::span<const float> values);

    // Adds what this worker counted.
    void finish(std::vector<std::uint64_t>& bins, std::uint64_t& outliers);

private:
    void countBins(std::span<const float> values);
    void countUndecided(std::span<const float> values);

    const SecondPassPlan* m_plan;
    std::vector<WordCounter> m_digits;
    std::vector<float> m_selected;
    WordCounter m_binPairs; // up to 256 bins: two neighboring values are counted at once, by their spreadPair
    std::vector<std::uint16_t> m_pairs;
    std::vector<std::uint32_t> m_bins; // more bins: one by one
    std::vector<std::uint64_t> m_binCounts;
    std::uint64_t m_outliers = 0;
};

} // namespace wb::stats
