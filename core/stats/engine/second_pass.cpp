// SPDX-License-Identifier: MIT
#include "core/stats/engine/second_pass.h"

#include "core/stats/sort_key.h"
#include "core/stats/slabs.h"

#include <bit>

namespace wb::stats {
namespace {

constexpr double binsInPairs = 256;

} // namespace

SecondPassPlan::SecondPassPlan(const std::vector<std::uint64_t>& counts, const BinRule& bin, const OutlierRule& outlier,
                               const RankSearch& ranks)
    : m_bin(bin), m_outlier(outlier), m_checks(wordCount) {
    for (std::uint32_t upper = 0; upper < wordCount; ++upper)
        if (counts[upper] != 0) decideOutliers(static_cast<std::uint16_t>(upper), counts[upper]);
    for (std::size_t i = 0; i < ranks.prefixes().size(); ++i) {
        const auto key = static_cast<std::uint32_t>(ranks.prefixes()[i] << 16);
        const auto upper = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(fromSortKey<float>(key)) >> 16);
        m_checks[upper].rank = static_cast<std::int8_t>(i);
        m_undecided.insert(upper);
    }
}

// The distance from the mean falls before the mean and rises after it, so only the halves around the two limits stay undecided,
// and the one around the mean where these coincide.
void SecondPassPlan::decideOutliers(std::uint16_t upper, std::uint64_t count) {
    const double a = std::bit_cast<float>(std::uint32_t{upper} << 16);
    const double b = std::bit_cast<float>(std::uint32_t{upper} << 16 | 0xFFFF);
    const bool sameSide = (a < m_outlier.mean()) == (b < m_outlier.mean());
    if (!m_outlier(a) && !m_outlier(b)) return;
    if (m_outlier(a) && m_outlier(b) && sameSide) {
        m_decidedOutliers += count;
        return;
    }
    m_checks[upper].outlier = true;
    m_undecided.insert(upper);
}

SecondPass::SecondPass(const SecondPassPlan& plan, std::deque<WordTotals>& digits, WordTotals& binPairs)
    : m_plan(&plan), m_selected(tileElements + 16), m_binPairs(binPairs), m_pairs(tileElements / 2), m_bins(tileElements),
      m_binCounts(static_cast<std::size_t>(plan.bin().bins())) {
    for (WordTotals& totals : digits) m_digits.emplace_back(totals);
}

void SecondPass::at(std::span<const float> values) {
    countBins(values);
    const std::size_t open = select(values, m_plan->undecided(), m_selected.data());
    countUndecided(std::span(m_selected).first(open));
}

void SecondPass::countBins(std::span<const float> values) {
    if (m_plan->bin().bins() > binsInPairs) {
        assignBins(values, m_plan->bin(), m_bins.data());
        for (std::size_t i = 0; i < values.size(); ++i) ++m_binCounts[m_bins[i]];
        return;
    }
    auto* bins = reinterpret_cast<std::uint8_t*>(m_pairs.data());
    assignBins(values, m_plan->bin(), bins);
    if (values.size() % 2 != 0) ++m_binCounts[bins[values.size() - 1]];
    spreadPairs(std::span(m_pairs).first(values.size() / 2));
    m_binPairs.add(m_pairs.data(), values.size() / 2, 1);
}

void SecondPass::countUndecided(std::span<const float> values) {
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const SecondPassPlan::Checks checks = m_plan->checks(static_cast<std::uint16_t>(bits >> 16));
        if (checks.rank >= 0) m_digits[static_cast<std::size_t>(checks.rank)].add(static_cast<std::uint16_t>(bits));
        if (checks.outlier) m_outliers += m_plan->outlier()(double{value});
    }
}

void SecondPass::finish(std::vector<std::uint64_t>& bins, std::uint64_t& outliers) {
    for (std::size_t bin = 0; bin < m_binCounts.size(); ++bin) bins[bin] += m_binCounts[bin];
    outliers += m_outliers;
    m_binPairs.finish();
    for (WordCounter& digits : m_digits) digits.finish();
}

} // namespace wb::stats
