// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

#include <span>

namespace wb::stats {

// Mean and central sums of n values, each value taken times 2^-exponent (momentExponent of the largest magnitude, 0 for usual
// ones).
struct Moments {
    std::uint64_t n = 0;
    int exponent = 0;
    double mean = 0;
    double m2 = 0; // Σ(x - mean)²
    double m3 = 0;
    double m4 = 0;
};

// The moments of both sets together; docs/reference/statistics.md, "Numerics".
Moments merge(const Moments& a, const Moments& b);

// Merges a sequence in the shape of a balanced binary tree: adds like a binary counter, so that only log2(count) partial results
// live at a time and the outcome depends on nothing but the order of the sequence.
class MomentTree {
public:
    void add(const Moments& leaf);
    Moments total() const;

private:
    struct Node {
        Moments moments;
        unsigned level;
    };
    std::vector<Node> m_nodes;
};

// Two-pass moments of finite values with compensated sums: exact to the last digits for any count. The scalar reference uses it,
// and the engine for types wider than f32 uses it for each tile.
Moments computeMoments(std::span<const double> values);

// Fills mean, std, rms, skew and kurtosis. `constant`: all finite values are equal, which rounding alone may hide.
void describe(const Moments& moments, bool constant, TensorStats& stats);

} // namespace wb::stats
