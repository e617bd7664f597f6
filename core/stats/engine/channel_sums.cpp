// SPDX-License-Identifier: MIT
#include "core/stats/engine/channel_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wb::stats {

void ChannelSums::reset(std::size_t channels) {
    absmax.assign(channels, 0);
    squares.assign(channels, 0);
    finite.assign(channels, 0);
}

void ChannelSums::add(const ChannelSums& part, std::size_t at) {
    for (std::size_t i = 0; i < part.absmax.size(); ++i) {
        absmax[at + i] = std::max(absmax[at + i], part.absmax[i]);
        squares[at + i] += part.squares[i];
        finite[at + i] += part.finite[i];
    }
}

Channels describe(Axis axis, ChannelSums sums, int exponent) {
    Channels channels{axis, std::move(sums.absmax), std::move(sums.squares)};
    for (std::size_t c = 0; c < channels.rms.size(); ++c) {
        const auto n = static_cast<double>(sums.finite[c]);
        channels.rms[c] = n == 0 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(std::sqrt(channels.rms[c] / n), exponent);
        if (n == 0) channels.absmax[c] = std::numeric_limits<double>::quiet_NaN();
    }
    return channels;
}

} // namespace wb::stats
