// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/arithmetic.h"
#include "core/merge/shared_loop.h"
#include "core/model/tensor_reader.h"

namespace wb::merge {

// Facts about all elements of a tensor that its merge needs: norms and product for Slerp, the thresholds of Ties, the factors
// of DARE with MergeRescale::L1. Gathered at the first read, by all threads that read then, in pieces of fixed size
// whose sums are added in order; afterwards in memory. Ties reads the tensor twice, three times where magnitudes at the threshold
// are partly kept. Thread-safe.
class TensorStatistics {
public:
    // All readers decode; `elements` of each count.
    TensorStatistics(const TensorMerge& merge, std::uint64_t elements) : m_merge(merge), m_elements(elements) {}

    // Whether the method needs any.
    static bool areNeeded(const TensorMerge& merge);

    // Gathers them. `inputs`: the base and the other models.
    Result<void> gather(std::span<const TensorReader> inputs);

    // After that:
    std::span<const Kept> kept() const { return m_kept; }
    SlerpFactors slerp() const { return m_slerp; }
    // For each other model the differences at the threshold before an element.
    Result<std::vector<std::uint64_t>> equalBefore(std::span<const TensorReader> inputs, std::uint64_t element) const;

private:
    struct Sums {
        double base2 = 0, other2 = 0, product = 0; // Slerp
        std::vector<double> all, kept;             // magnitudes of the differences by model; DARE
    };

    Result<void> gatherSums(std::span<const TensorReader> inputs);
    Result<void> gatherThresholds(std::span<const TensorReader> inputs);
    Result<void> countMagnitudes(std::span<const TensorReader> inputs, std::uint64_t piece, bool isHigh);
    Result<void> countEqual(std::span<const TensorReader> inputs, std::uint64_t piece);
    void finishSums();
    void finishHigh();
    void finishLow();
    void finishEqual();

    const TensorMerge m_merge;
    const std::uint64_t m_elements;
    SharedLoop m_sumLoop, m_highLoop, m_lowLoop, m_equalLoop;
    std::once_flag m_prepared;
    std::mutex m_countMutex;                               // of m_counts, while pieces add to them
    std::vector<Sums> m_sums;                              // by piece
    std::vector<std::vector<std::uint64_t>> m_counts;      // by model: magnitudes by their high or low bits
    std::vector<std::vector<std::uint64_t>> m_equalBefore; // by model: differences at the threshold before each slab
    bool m_needsEqual = false;
    std::vector<Kept> m_kept;
    SlerpFactors m_slerp;
};

} // namespace wb::merge
