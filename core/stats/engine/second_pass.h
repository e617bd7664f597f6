// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/engine/rank_search.h"
#include "core/stats/rules.h"
#include "core/stats/engine/tile_kernels.h"
#include "core/stats/engine/word_counter.h"

#include <deque>

namespace wb::stats {

// What the second pass over f32 values asks, once minimum, maximum, moments and the radix histogram (counts by the upper halves)
// are known: every value's bin, but the rank and the outlier test of few only. All values with the same upper half lie between two
// bounds; where both are on the same side of the outlier limit, the count settles them.
class Questions {
public:
    Questions(const std::vector<std::uint64_t>& counts, const BinRule& bin, const OutlierRule& outlier, const RankSearch& ranks);

    const BinRule& bin() const { return m_bin; }
    const OutlierRule& outlier() const { return m_outlier; }
    std::uint64_t settledOutliers() const { return m_settledOutliers; }

    // What is open about values with one upper half.
    struct Question {
        std::int8_t rank = -1; // index of the rank search's prefix that they are, or -1
        bool outlier = false;
    };
    const Question& about(std::uint16_t upper) const { return m_questions[upper]; }

    // The upper halves with a question: at most nine ranks and the bounds of the outliers.
    const UpperHalves& open() const { return m_open; }

private:
    void settleOutliers(std::uint16_t upper, std::uint64_t count);

    BinRule m_bin;
    OutlierRule m_outlier;
    UpperHalves m_open;
    std::vector<Question> m_questions;
    std::uint64_t m_settledOutliers = 0;
};

// One worker's second look.
class SecondLook {
public:
    // `digits`: the counts of the lower halves, one a prefix of the rank search; `binPairs`: see m_binPairs.
    SecondLook(const Questions& questions, std::deque<WordTotals>& digits, WordTotals& binPairs);

    void at(std::span<const float> values);

    // Adds what this worker counted.
    void finish(std::vector<std::uint64_t>& bins, std::uint64_t& outliers);

private:
    void countBins(std::span<const float> values);
    void countOpen(std::span<const float> values);

    const Questions* m_questions;
    std::vector<WordCounter> m_digits;
    std::vector<float> m_selected;
    WordCounter m_binPairs;                // up to 256 bins: two neighbouring values are counted at once, by their spreadPair
    std::vector<std::uint16_t> m_pairs;
    std::vector<std::uint32_t> m_bins;     // more bins: one by one
    std::vector<std::uint64_t> m_binCounts;
    std::uint64_t m_outliers = 0;
};

} // namespace wb::stats
