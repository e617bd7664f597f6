// SPDX-License-Identifier: MIT
#include "core/stats/rules.h"

#include <cmath>
#include <limits>

namespace wb::stats {
namespace {

// percentileLevels in parts of a thousand, so that ranks are exact.
constexpr std::array<std::uint64_t, percentileLevels.size()> perMille = {1, 10, 50, 250, 500, 750, 950, 990, 999};

constexpr double hugeMagnitude = 0x1p1018;

} // namespace

double asDouble(const Element& element) {
    return std::visit([](auto value) { return static_cast<double>(value); }, element);
}

std::uint64_t percentileRank(std::size_t level, std::uint64_t n) {
    const std::uint64_t p = perMille[level];
    const std::uint64_t rank = n / 1000 * p + (n % 1000 * p + 999) / 1000;
    return rank == 0 ? 1 : rank;
}

BinRule::BinRule(double low, double high, std::uint32_t bins) : m_bins(bins), m_last(bins - 1) {
    if (!std::isfinite(high - low)) m_scale = 0.5;
    m_low = low * m_scale;
    m_range = high * m_scale - m_low;
}

OutlierRule::OutlierRule(double mean, double std, double absmax) {
    if (absmax > hugeMagnitude) m_scale = 0x1p-8;
    m_mean = mean * m_scale;
    m_limit = 6 * (std * m_scale);
}

double smallestNormal(Dtype dtype) {
    switch (dtype) {
    case Dtype::F64:
    case Dtype::C128: return std::numeric_limits<double>::min();
    case Dtype::F16:
    case Dtype::C32:
    case Dtype::F8_E5M2: return 0x1p-14;
    case Dtype::F8_E5M2FNUZ: return 0x1p-15;
    case Dtype::F8_E4M3: return 0x1p-6;
    case Dtype::F8_E4M3FNUZ: return 0x1p-7;
    case Dtype::F6_E3M2: return 0x1p-2;
    case Dtype::F6_E2M3:
    case Dtype::F4: return 1;
    case Dtype::F8_E8M0: return 0;
    default: break;
    }
    const DtypeKind kind = info(dtype).kind;
    return kind == DtypeKind::Integer || kind == DtypeKind::Bool ? 0 : 0x1p-126;
}

ChannelGrid channelGrid(const Shape& shape) {
    switch (shape.rank()) {
    case 0: return {1, 1};
    case 1: return {1, shape[0]};
    case 2: return {shape[0], shape[1]};
    case 3: return {shape[0] * shape[1], shape[2]};
    default: break;
    }
    std::uint64_t columns = 1;
    for (std::size_t axis = 1; axis < shape.rank(); ++axis) columns *= shape[axis];
    return {shape[0], columns};
}

int momentExponent(double absmax) {
    constexpr int usual = 200; // fourth powers times any count stay far inside f64
    if (absmax == 0) return 0;
    const int exponent = std::ilogb(absmax);
    return exponent > usual || exponent < -usual ? exponent : 0;
}

Result<void> check(const TensorReader& reader, const Options& options) {
    if (options.bins == 0 || options.bins > 65'536)
        return fail(ErrorCode::Invalid, Reason("stats.bins"), WB_TEXT("Invalid number of histogram bins: {}; use 1 to 65,536."),
                    options.bins);
    if (!options.channels) return {};
    const ChannelGrid grid = channelGrid(reader.shape());
    const bool rows = *options.channels == Axis::Row;
    if (const std::uint64_t channels = rows ? grid.rows : grid.columns; channels > channelCap)
        return fail(ErrorCode::TooLarge, Reason("stats.channel_count"),
                    WB_TEXT("The tensor {} has {} channels; at most {} are supported. Choose the other axis."),
                    reader.shape().toString(), channels, channelCap);
    return {};
}

} // namespace wb::stats
