// SPDX-License-Identifier: MIT
#include "core/stats/engine/second_pass.h"

#include "core/stats/sort_key.h"
#include "core/stats/slabs.h"

#include <bit>

namespace wb::stats {
namespace {

constexpr double binsInPairs = 256;

} // namespace

Questions::Questions(const std::vector<std::uint64_t>& counts, const BinRule& bin, const OutlierRule& outlier, const RankSearch& ranks)
    : m_bin(bin), m_outlier(outlier), m_questions(wordCount) {
    for (std::uint32_t upper = 0; upper < wordCount; ++upper)
        if (counts[upper] != 0) settleOutliers(static_cast<std::uint16_t>(upper), counts[upper]);
    for (std::size_t i = 0; i < ranks.prefixes().size(); ++i) {
        const auto image = static_cast<std::uint32_t>(ranks.prefixes()[i] << 16);
        const auto upper = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(fromImage<float>(image)) >> 16);
        m_questions[upper].rank = static_cast<std::int8_t>(i);
        m_open.insert(upper);
    }
}

// The distance from the mean falls before the mean and rises after it, so at most the halves around the two limits stay open and,
// where these fall together, the one around the mean.
void Questions::settleOutliers(std::uint16_t upper, std::uint64_t count) {
    const double a = std::bit_cast<float>(std::uint32_t{upper} << 16);
    const double b = std::bit_cast<float>(std::uint32_t{upper} << 16 | 0xFFFF);
    const bool sameSide = (a < m_outlier.mean()) == (b < m_outlier.mean());
    if (!m_outlier(a) && !m_outlier(b)) return;
    if (m_outlier(a) && m_outlier(b) && sameSide) {
        m_settledOutliers += count;
        return;
    }
    m_questions[upper].outlier = true;
    m_open.insert(upper);
}

SecondLook::SecondLook(const Questions& questions, std::deque<WordTotals>& digits, WordTotals& binPairs)
    : m_questions(&questions), m_selected(tileElements + 16), m_binPairs(binPairs), m_pairs(tileElements / 2), m_bins(tileElements),
      m_binCounts(static_cast<std::size_t>(questions.bin().bins())) {
    for (WordTotals& totals : digits) m_digits.emplace_back(totals);
}

void SecondLook::at(std::span<const float> values) {
    countBins(values);
    const std::size_t open = select(values, m_questions->open(), m_selected.data());
    countOpen(std::span(m_selected).first(open));
}

void SecondLook::countBins(std::span<const float> values) {
    if (m_questions->bin().bins() > binsInPairs) {
        binsOf(values, m_questions->bin(), m_bins.data());
        for (std::size_t i = 0; i < values.size(); ++i) ++m_binCounts[m_bins[i]];
        return;
    }
    auto* bins = reinterpret_cast<std::uint8_t*>(m_pairs.data());
    binsOf(values, m_questions->bin(), bins);
    if (values.size() % 2 != 0) ++m_binCounts[bins[values.size() - 1]];
    spreadPairs(std::span(m_pairs).first(values.size() / 2));
    m_binPairs.add(m_pairs.data(), values.size() / 2, 1);
}

void SecondLook::countOpen(std::span<const float> values) {
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const Questions::Question question = m_questions->about(static_cast<std::uint16_t>(bits >> 16));
        if (question.rank >= 0) m_digits[static_cast<std::size_t>(question.rank)].add(static_cast<std::uint16_t>(bits));
        if (question.outlier) m_outliers += m_questions->outlier()(double{value});
    }
}

void SecondLook::finish(std::vector<std::uint64_t>& bins, std::uint64_t& outliers) {
    for (std::size_t bin = 0; bin < m_binCounts.size(); ++bin) bins[bin] += m_binCounts[bin];
    outliers += m_outliers;
    m_binPairs.finish();
    for (WordCounter& digits : m_digits) digits.finish();
}

} // namespace wb::stats
