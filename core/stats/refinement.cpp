// SPDX-License-Identifier: MIT
#include "core/stats/refinement.h"

#include "core/stats/image.h"
#include "core/stats/slabs.h"

#include <bit>

namespace wb::stats {
namespace {

float fromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

} // namespace

Refinement::Refinement(const std::vector<std::uint64_t>& counts, float least, float greatest, const BinRule& bin,
                       const OutlierRule& outlier, const RankSearch& ranks)
    : binCounts(static_cast<std::size_t>(bin.bins())), m_bin(bin), m_outlier(outlier), m_questions(wordCount) {
    for (std::uint32_t upper = 0; upper < wordCount; ++upper) {
        if (counts[upper] == 0) continue;
        const std::uint32_t a = toImage(fromBits(upper << 16));
        const std::uint32_t b = toImage(fromBits(upper << 16 | 0xFFFF));
        const double low = fromImage<float>(std::max(std::min(a, b), toImage(least)));
        const double high = fromImage<float>(std::min(std::max(a, b), toImage(greatest)));
        const auto word = static_cast<std::uint16_t>(upper);
        settleBin(word, counts[upper], low, high);
        settleOutliers(word, counts[upper], low, high);
    }
    for (std::size_t i = 0; i < ranks.prefixes().size(); ++i) {
        const auto image = static_cast<std::uint32_t>(ranks.prefixes()[i] << 16);
        const auto word = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(fromImage<float>(image)) >> 16);
        m_questions[word].rank = static_cast<std::int8_t>(i);
        m_open.insert(word);
    }
}

void Refinement::settleBin(std::uint16_t upper, std::uint64_t count, double low, double high) {
    if (m_bin(low) == m_bin(high)) {
        binCounts[m_bin(low)] += count;
        return;
    }
    m_questions[upper].bin = true;
    m_open.insert(upper);
}

// The distance from the mean falls before the mean and rises after it.
void Refinement::settleOutliers(std::uint16_t upper, std::uint64_t count, double low, double high) {
    const bool sameSide = low * m_outlier.scale() > m_outlier.mean() || high * m_outlier.scale() < m_outlier.mean();
    if (!m_outlier(low) && !m_outlier(high)) return;
    if (m_outlier(low) && m_outlier(high) && sameSide) {
        outliers += count;
        return;
    }
    m_questions[upper].outlier = true;
    m_open.insert(upper);
}

SecondLook::SecondLook(const Refinement& refinement, std::deque<WordTotals>& digits)
    : m_refinement(&refinement), m_selected(tileElements + 16), m_unbinned(tileElements), m_bins(tileElements),
      m_binCounts(refinement.binCounts.size()) {
    for (WordTotals& totals : digits) m_digits.emplace_back(totals);
}

void SecondLook::at(std::span<const float> values) {
    const std::size_t open = select(values, m_refinement->open(), m_selected.data());
    count(std::span(m_selected).first(open));
}

void SecondLook::count(std::span<const float> open) {
    std::size_t unbinned = 0;
    for (const float value : open) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const Refinement::Question& question = m_refinement->question(static_cast<std::uint16_t>(bits >> 16));
        m_unbinned[unbinned] = value;
        unbinned += question.bin;
        if (question.rank >= 0) m_digits[static_cast<std::size_t>(question.rank)].add(static_cast<std::uint16_t>(bits));
        if (question.outlier) m_outliers += m_refinement->outlier()(double{value});
    }
    binsOf(std::span(m_unbinned).first(unbinned), m_refinement->bin(), m_bins.data());
    for (std::size_t i = 0; i < unbinned; ++i) ++m_binCounts[m_bins[i]];
}

void SecondLook::finish(Refinement& into) {
    for (std::size_t bin = 0; bin < m_binCounts.size(); ++bin) into.binCounts[bin] += m_binCounts[bin];
    into.outliers += m_outliers;
    for (WordCounter& digits : m_digits) digits.finish();
}

} // namespace wb::stats
