// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <span>
#include <vector>

namespace wb::stats {

// Finds the elements at the percentile ranks exactly, sixteen bits of the sort key a pass. In every pass the caller counts the
// digits (key >> shift()) & 0xFFFF of the keys whose upper bits (key >> (shift() + 16)) are one of prefixes(), one table of 65,536
// counts a prefix, and hands the tables to narrow(). The first pass has the one prefix 0: its table is the radix histogram.
class RankSearch {
public:
    using Table = std::vector<std::uint64_t>;

    RankSearch(std::uint64_t n, unsigned keyBits);

    bool done() const { return m_done; }
    unsigned shift() const { return m_shift; }
    const std::vector<std::uint64_t>& prefixes() const { return m_prefixes; } // ascending, at most one a percentile

    void narrow(std::span<const Table> tables);

    // When done: the keys at the ranks, in the order of percentileLevels.
    std::array<std::uint64_t, percentileLevels.size()> keys() const;

private:
    struct Target {
        std::uint64_t rank;   // among the elements below the prefix, from 1
        std::uint64_t prefix; // the upper bits found so far
    };

    std::array<Target, percentileLevels.size()> m_targets{};
    std::vector<std::uint64_t> m_prefixes{0};
    unsigned m_shift;
    bool m_done = false;
};

} // namespace wb::stats
