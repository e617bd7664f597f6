// SPDX-License-Identifier: MIT
#include "core/merge/tensor_statistics.h"

#include "core/model/recipe.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace wb::merge {
namespace {

constexpr std::uint64_t slabElements = Recipe::maxElements;
constexpr std::uint64_t pieceElements = 16 * slabElements; // one index of a loop
constexpr unsigned lowBits = 15;                           // of a magnitude of 31 bits; 16 high ones

std::uint64_t pieceCount(std::uint64_t elements, std::uint64_t each) { return elements / each + (elements % each != 0); }

// Decodes a range of both, then calls use(base, other) slab by slab.
Result<void> readPairs(const TensorReader& base, const TensorReader& other, std::uint64_t first, std::uint64_t end,
                       const auto& use) {
    const auto most = std::min(slabElements, end - std::min(first, end));
    const auto values = std::make_unique_for_overwrite<float[]>(2 * most);
    std::vector<std::byte> scratch;
    for (std::uint64_t count = 0; first < end; first += count) {
        count = std::min(slabElements, end - first);
        const std::span left(values.get(), count), right(values.get() + most, count);
        WB_TRY(base.readF32(first, left, scratch));
        WB_TRY(other.readF32(first, right, scratch));
        use(first, std::span<const float>(left), std::span<const float>(right));
    }
    return {};
}

} // namespace

bool TensorStatistics::areNeeded(const TensorMerge& merge) {
    const bool drops = std::ranges::any_of(merge.densities, [](double density) { return density < 1; });
    if (merge.method == MergeMethod::Slerp) return true;
    if (merge.method == MergeMethod::Ties) return drops;
    return dropsAtRandom(merge.method) && drops && merge.rescale == MergeRescale::L1;
}

Result<void> TensorStatistics::gather(std::span<const TensorReader> inputs) {
    return m_merge.method == MergeMethod::Ties ? gatherThresholds(inputs) : gatherSums(inputs);
}

Result<void> TensorStatistics::gatherSums(std::span<const TensorReader> inputs) {
    const std::uint64_t pieces = pieceCount(m_elements, pieceElements);
    std::call_once(m_prepared, [&] { m_sums.resize(pieces); });
    const auto addPiece = [&](std::uint64_t piece) -> Result<void> {
        const std::uint64_t first = piece * pieceElements, end = std::min(first + pieceElements, m_elements);
        Sums sums;
        sums.all.resize(m_merge.weights.size());
        sums.kept.resize(m_merge.weights.size());
        for (std::size_t m = 0; m < m_merge.weights.size(); ++m) {
            const auto add = [&](std::uint64_t at, std::span<const float> base, std::span<const float> other) {
                for (std::size_t i = 0; i < base.size(); ++i) {
                    if (m_merge.method == MergeMethod::Slerp) {
                        const double left = base[i], right = other[i];
                        sums.base2 += left * left;
                        sums.other2 += right * right;
                        sums.product += left * right;
                    } else {
                        const double magnitude = std::abs(other[i] - base[i]);
                        sums.all[m] += magnitude;
                        if (maskKeeps(m_merge.maskKeys[m], at + i, m_merge.densities[m])) sums.kept[m] += magnitude;
                    }
                }
            };
            WB_TRY(readPairs(inputs[0], inputs[m + 1], first, end, add));
        }
        m_sums[piece] = std::move(sums);
        return {};
    };
    return m_sumLoop.join(pieces, addPiece, [this] { finishSums(); });
}

void TensorStatistics::finishSums() {
    Sums total;
    total.all.resize(m_merge.weights.size());
    total.kept.resize(m_merge.weights.size());
    for (const Sums& sums : m_sums) {
        total.base2 += sums.base2;
        total.other2 += sums.other2;
        total.product += sums.product;
        for (std::size_t m = 0; m < total.all.size(); ++m) {
            total.all[m] += sums.all[m];
            total.kept[m] += sums.kept[m];
        }
    }
    if (m_merge.method == MergeMethod::Slerp) m_slerp = slerpFactors(m_merge.t, total.base2, total.other2, total.product);
    constexpr double none = 1e-7; // sums below leave the differences as they are
    for (std::size_t m = 0; m < total.all.size(); ++m) {
        Kept& kept = m_kept.emplace_back();
        if (total.all[m] >= none && total.kept[m] >= none) kept.factor = static_cast<float>(total.all[m] / total.kept[m]);
    }
    m_sums.clear();
}

Result<void> TensorStatistics::gatherThresholds(std::span<const TensorReader> inputs) {
    const std::uint64_t pieces = pieceCount(m_elements, pieceElements), slabs = pieceCount(m_elements, slabElements);
    std::call_once(m_prepared, [&] {
        m_counts.assign(m_merge.weights.size(), std::vector<std::uint64_t>(1u << 16));
        m_equalBefore.assign(m_merge.weights.size(), std::vector<std::uint64_t>(slabs));
    });
    WB_TRY(m_highLoop.join(pieces, [&](std::uint64_t i) { return countMagnitudes(inputs, i, true); }, [this] { finishHigh(); }));
    WB_TRY(m_lowLoop.join(pieces, [&](std::uint64_t i) { return countMagnitudes(inputs, i, false); }, [this] { finishLow(); }));
    if (!m_needsEqual) return {};
    return m_equalLoop.join(slabs, [&](std::uint64_t i) { return countEqual(inputs, i); }, [this] { finishEqual(); });
}

Result<void> TensorStatistics::countMagnitudes(std::span<const TensorReader> inputs, std::uint64_t piece, bool isHigh) {
    const std::uint64_t first = piece * pieceElements, end = std::min(first + pieceElements, m_elements);
    std::vector<std::uint32_t> counts(isHigh ? 1u << 16 : 1u << lowBits);
    for (std::size_t m = 0; m < m_merge.weights.size(); ++m) {
        if (m_merge.densities[m] >= 1) continue;
        std::ranges::fill(counts, 0u);
        const std::uint32_t high = isHigh ? 0 : m_kept[m].threshold >> lowBits;
        WB_TRY(readPairs(inputs[0], inputs[m + 1], first, end,
                         [&](std::uint64_t, std::span<const float> base, std::span<const float> other) {
                             if (!isHigh) return countLowBits(base, other.data(), high, lowBits, counts.data());
                             for (std::size_t i = 0; i < base.size(); ++i) ++counts[magnitudeBits(other[i] - base[i]) >> lowBits];
                         }));
        const std::lock_guard lock(m_countMutex);
        for (std::size_t i = 0; i < counts.size(); ++i) m_counts[m][i] += counts[i];
    }
    return {};
}

// `equal` is at first how many of the candidates that are left stay, the largest ones.
void TensorStatistics::finishHigh() {
    m_kept.resize(m_merge.weights.size());
    for (std::size_t m = 0; m < m_kept.size(); ++m) {
        Kept& kept = m_kept[m];
        kept.keepsAll = m_merge.densities[m] >= 1;
        if (kept.keepsAll) continue;
        kept.equal = static_cast<std::uint64_t>(m_merge.densities[m] * static_cast<double>(m_elements));
        std::uint32_t bin = static_cast<std::uint32_t>(m_counts[m].size()) - 1;
        for (; bin > 0 && m_counts[m][bin] < kept.equal; --bin) kept.equal -= m_counts[m][bin];
        kept.threshold = bin << lowBits;
        std::ranges::fill(m_counts[m], std::uint64_t{0});
    }
}

void TensorStatistics::finishLow() {
    for (std::size_t m = 0; m < m_kept.size(); ++m) {
        Kept& kept = m_kept[m];
        if (kept.keepsAll) continue;
        std::uint32_t bin = (1u << lowBits) - 1;
        for (; bin > 0 && m_counts[m][bin] < kept.equal; --bin) kept.equal -= m_counts[m][bin];
        kept.threshold |= bin;
        const bool isPartial = kept.equal < m_counts[m][bin];
        m_needsEqual = m_needsEqual || (isPartial && kept.threshold != 0); // a difference of zero adds nothing, kept or not
    }
    m_counts.clear();
    m_counts.shrink_to_fit();
}

Result<void> TensorStatistics::countEqual(std::span<const TensorReader> inputs, std::uint64_t slab) {
    const std::uint64_t first = slab * slabElements, end = std::min(first + slabElements, m_elements);
    for (std::size_t m = 0; m < m_kept.size(); ++m) {
        if (m_kept[m].keepsAll) continue;
        std::uint64_t count = 0;
        WB_TRY(readPairs(inputs[0], inputs[m + 1], first, end,
                         [&](std::uint64_t, std::span<const float> base, std::span<const float> other) {
                             count += countMagnitude(base, other.data(), m_kept[m].threshold);
                         }));
        m_equalBefore[m][slab] = count;
    }
    return {};
}

void TensorStatistics::finishEqual() {
    for (auto& counts : m_equalBefore) {
        std::uint64_t before = 0;
        for (std::uint64_t& count : counts) before += std::exchange(count, before);
    }
}

Result<std::vector<std::uint64_t>> TensorStatistics::equalBefore(std::span<const TensorReader> inputs,
                                                                 std::uint64_t element) const {
    std::vector<std::uint64_t> before(m_merge.weights.size());
    if (!m_needsEqual) return before;
    const std::uint64_t slab = element / slabElements;
    for (std::size_t m = 0; m < before.size(); ++m) {
        if (m_kept[m].keepsAll) continue;
        before[m] = m_equalBefore[m][slab];
        WB_TRY(readPairs(inputs[0], inputs[m + 1], slab * slabElements, element,
                         [&](std::uint64_t, std::span<const float> base, std::span<const float> other) {
                             before[m] += countMagnitude(base, other.data(), m_kept[m].threshold);
                         }));
    }
    return before;
}

} // namespace wb::merge
