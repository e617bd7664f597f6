// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Finding what leaves its family.
namespace wb::stats {

struct Odd {
    std::size_t index = 0; // into the values
    double score = 0;      // |x - median| / MAD; infinite where MAD is 0
};

struct OddOnes {
    double median = 0;
    double mad = 0;           // the median of |x - median|
    std::vector<Odd> members; // score > k; greatest score first, then by index
};

// Which values leave the others by more than k median absolute deviations. NaN takes no part. Fewer than three finite values are no
// family: nothing is odd. Both medians are the lower one of the two middle values where the number is even, so that they are values.
OddOnes findOdd(std::span<const double> values, double k);

} // namespace wb::stats
