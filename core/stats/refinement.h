// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/rank_search.h"
#include "core/stats/rules.h"
#include "core/stats/tile_kernels.h"
#include "core/stats/word_counter.h"

#include <deque>

namespace wb::stats {

// What the radix histogram (counts by the upper 16 bits of the f32) leaves open. Values with equal upper bits form an interval; one
// that lies inside a bin of the histogram, and wholly inside or outside the outliers, is settled by its count. Only the values of
// the others, a small part of the tensor, need a second look.
class Refinement {
public:
    // `counts` by the upper 16 bits of finite values; `least` and `greatest` are the extremes.
    Refinement(const std::vector<std::uint64_t>& counts, float least, float greatest, const BinRule& bin, const OutlierRule& outlier,
               const RankSearch& ranks);

    const WordSet& open() const { return m_open; }
    const BinRule& bin() const { return m_bin; }
    const OutlierRule& outlier() const { return m_outlier; }

    // What is open about values with these upper bits.
    struct Question {
        bool bin = false;
        bool outlier = false;
        std::int8_t rank = -1; // index of the rank search's prefix that they are, or -1
    };
    const Question& question(std::uint16_t upper) const { return m_questions[upper]; }

    // Counts of what is settled; the second pass adds to them.
    std::vector<std::uint64_t> binCounts;
    std::uint64_t outliers = 0;

private:
    void settleBin(std::uint16_t upper, std::uint64_t count, double low, double high);
    void settleOutliers(std::uint16_t upper, std::uint64_t count, double low, double high);

    BinRule m_bin;
    OutlierRule m_outlier;
    WordSet m_open;
    std::vector<Question> m_questions;
};

// One worker's second look.
class SecondLook {
public:
    SecondLook(const Refinement& refinement, std::deque<WordTotals>& digits);

    void at(std::span<const float> values);

    void finish(Refinement& into);

private:
    void count(std::span<const float> open);

    const Refinement* m_refinement;
    std::vector<WordCounter> m_digits; // of the lower 16 bits, one a prefix of the rank search
    std::vector<float> m_selected;
    std::vector<float> m_unbinned;
    std::vector<std::uint32_t> m_bins;
    std::vector<std::uint64_t> m_binCounts;
    std::uint64_t m_outliers = 0;
};

} // namespace wb::stats
