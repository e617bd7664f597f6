// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

namespace wb::stats {

// What is added up for absmax and rms of neighboring channels. Squares are of values times 2^-exponent (momentExponent of the
// tensor's absmax), so that none overflows.
struct ChannelSums {
    std::vector<double> absmax;
    std::vector<double> squares;
    std::vector<std::uint64_t> finite;

    void reset(std::size_t channels);
    void add(const ChannelSums& part, std::size_t at); // part's first channel is our channel `at`
};

// A channel without a finite element has no absmax and no rms (NaN).
Channels describe(Axis axis, ChannelSums sums, int exponent);

} // namespace wb::stats
