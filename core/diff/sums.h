// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"
#include "core/quant/backend.h"

#include <span>

namespace wb::diff {

// The measures of a part of a pair, before they are divided. Parts are added in order, so that no result depends on threads.
struct Sums {
    quant::ErrorSums sums; // over elements that are finite on both sides
    std::uint64_t elements = 0;
    std::uint64_t finite = 0; // on both sides
    std::uint64_t changed = 0;
    double maxAbs = -1;      // below 0: no element is finite on both sides
    std::uint64_t maxAt = 0; // element of the part, the first one with the largest error

    // Adds a part whose first element is element `first` of the whole.
    void add(const Sums& part, std::uint64_t first);
};

// Compares w and v of the same length. `origin` is subtracted from both in the sums of squares and products: a tensor that one side
// stores plus one is measured without it.
Sums compareValues(std::span<const float> w, std::span<const float> v, double origin);
Sums compareValues(std::span<const double> w, std::span<const double> v, double origin);

namespace scalar {
// The readable form: element by element. Counts and the maximum are the same, sums up to their rounding.
Sums compareValues(std::span<const float> w, std::span<const float> v, double origin);
} // namespace scalar

// The division. `location` fills maxAt and maxIn afterwards.
Measures computeMeasures(const Sums& sums);

} // namespace wb::diff
