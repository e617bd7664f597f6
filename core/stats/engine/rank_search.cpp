// SPDX-License-Identifier: MIT
#include "core/stats/engine/rank_search.h"

#include "core/stats/rules.h"

#include <algorithm>

namespace wb::stats {

RankSearch::RankSearch(std::uint64_t n, unsigned keyBits) : m_shift(keyBits - 16) {
    for (std::size_t level = 0; level < m_targets.size(); ++level) m_targets[level] = {percentileRank(level, n), 0};
}

void RankSearch::narrow(std::span<const Table> tables) {
    for (Target& target : m_targets) {
        const auto at = std::ranges::lower_bound(m_prefixes, target.prefix) - m_prefixes.begin();
        const Table& counts = tables[static_cast<std::size_t>(at)];
        std::uint64_t digit = 0;
        for (; target.rank > counts[digit]; ++digit) target.rank -= counts[digit];
        target.prefix = target.prefix << 16 | digit;
    }
    m_prefixes.clear();
    for (const Target& target : m_targets)
        if (m_prefixes.empty() || m_prefixes.back() != target.prefix) m_prefixes.push_back(target.prefix);
    m_done = m_shift == 0;
    if (!m_done) m_shift -= 16;
}

std::array<std::uint64_t, percentileLevels.size()> RankSearch::keys() const {
    std::array<std::uint64_t, percentileLevels.size()> keys{};
    std::ranges::transform(m_targets, keys.begin(), &Target::prefix);
    return keys;
}

} // namespace wb::stats
