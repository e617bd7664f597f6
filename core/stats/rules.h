// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/stats.h"

// The small definitions of docs/reference/command_line.md that every backend shares word for word.
namespace wb::stats {

// The 1-based rank of percentileLevels[level] among n sorted values: max(1, ceil(p / 100 · n)), computed in integers.
std::uint64_t percentileRank(std::size_t level, std::uint64_t n);

// Which bin of the histogram a value is in: floor((v - low) / (high - low) · bins) in f64, the maximum in the last bin, a
// constant in bin 0. Where high - low overflows, every term is halved first.
class BinRule {
public:
    BinRule(double low, double high, std::uint32_t bins);

    std::uint32_t operator()(double value) const {
        if (m_range == 0) return 0;
        const double position = (value * m_scale - m_low) / m_range * m_bins;
        const auto bin = static_cast<std::uint32_t>(position);
        return bin < m_last ? bin : m_last;
    }

    // The terms of the rule for kernels: position = (value · scale - low) / range · bins.
    double scale() const { return m_scale; }
    double low() const { return m_low; }
    double range() const { return m_range; }
    double bins() const { return m_bins; }

private:
    double m_scale = 1;
    double m_low = 0;
    double m_range = 0;
    double m_bins = 1;
    std::uint32_t m_last = 0;
};

// |x - mean| > 6 std. Where the terms could overflow f64 all of them are scaled down by a power of two.
class OutlierRule {
public:
    OutlierRule(double mean, double std, double absmax);

    bool operator()(double value) const {
        const double distance = value * m_scale - m_mean;
        return (distance < 0 ? -distance : distance) > m_limit;
    }
    double scale() const { return m_scale; }
    double mean() const { return m_mean; }
    double limit() const { return m_limit; }

private:
    double m_scale = 1;
    double m_mean = 0;
    double m_limit = 0;
};

// The smallest positive magnitude that is not subnormal in the stored type (for block types: in the decoded f32); 0 where the type
// has no subnormals (integers, F8_E8M0). Complex types: of their components' type.
double smallestNormal(Dtype dtype);

// The rows and columns of channel statistics: rank 0 is 1 x 1, rank 1 is one row, rank 3 has d0·d1 rows, rank >= 4 has d0 rows.
struct ChannelGrid {
    std::uint64_t rows = 1;
    std::uint64_t columns = 1;
};
ChannelGrid channelGrid(const Shape& shape);

// Channel statistics are refused for more rows or columns than this.
inline constexpr std::uint64_t channelCap = 16'000'000;

// Sums of squares are formed of values times 2^-exponent, so that they neither overflow nor vanish; 0 for usual magnitudes.
int momentExponent(double absmax);

// Refuses options outside their ranges: bins, and channels beyond the cap.
Result<void> check(const TensorReader& reader, const Options& options);

} // namespace wb::stats
