// SPDX-License-Identifier: MIT
#include "core/stats/elements.h"
#include "core/stats/sort_key.h"
#include "core/stats/moments.h"
#include "core/stats/rules.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace wb::stats {
namespace {

using Indexed = TopElement;

Result<std::vector<Element>> readElements(const TensorReader& reader) {
    const std::uint64_t count = reader.elements();
    std::vector<Element> elements(count);
    std::vector<std::byte> bytes;
    if (isWide(reader.dtype())) {
        bytes.resize(reader.byteCount(count));
        WB_TRY(reader.readRaw(0, count, bytes));
        visitWide(reader.dtype(), [&](auto loader) {
            for (std::size_t i = 0; i < count; ++i) elements[i] = toElement(loader(bytes, i));
        });
        return elements;
    }
    std::vector<float> values(count);
    WB_TRY(reader.readF32(0, values, bytes));
    const DtypeKind kind = info(reader.dtype()).kind;
    const bool integer = kind == DtypeKind::Integer || kind == DtypeKind::Bool;
    for (std::size_t i = 0; i < count; ++i)
        elements[i] = integer ? toElement(reader.dtype(), values[i]) : Element(double{values[i]});
    return elements;
}

std::uint64_t elementKey(const Element& element) {
    return std::visit([](auto value) { return toSortKey(value); }, element);
}

bool below(const Element& a, const Element& b) { return elementKey(a) < elementKey(b); }

Element magnitude(const Element& element) {
    if (const auto* integer = std::get_if<std::int64_t>(&element)) {
        const auto bits = static_cast<std::uint64_t>(*integer);
        return *integer < 0 ? 0 - bits : bits;
    }
    if (const auto* real = std::get_if<double>(&element)) return std::abs(*real);
    return element;
}

void countKinds(const std::vector<Element>& elements, Dtype dtype, TensorStats& stats) {
    const double normal = smallestNormal(dtype);
    stats.count = elements.size();
    for (const Element& element : elements) {
        const double value = std::abs(asDouble(element));
        if (std::isnan(value)) ++stats.nan;
        else if (std::isinf(value)) ++stats.inf;
        else if (value == 0) ++stats.zeros;
        else if (value < normal) ++stats.denormal;
    }
    stats.finite = stats.count - stats.nan - stats.inf;
}

std::vector<Indexed> finiteOnes(const std::vector<Element>& elements) {
    std::vector<Indexed> finite;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (std::isfinite(asDouble(elements[i]))) finite.push_back({i, elements[i]});
    return finite;
}

std::vector<TopElement> largest(std::vector<Indexed> finite) {
    const auto end = finite.begin() + static_cast<std::ptrdiff_t>(std::min(topCount, finite.size()));
    std::partial_sort(finite.begin(), end, finite.end(), [](const Indexed& a, const Indexed& b) {
        const Element left = magnitude(a.value);
        const Element right = magnitude(b.value);
        if (below(right, left) || below(left, right)) return below(right, left);
        return a.index < b.index;
    });
    finite.erase(end, finite.end());
    return finite;
}

void describeOrder(const std::vector<Indexed>& finite, std::uint32_t bins, TensorStats& stats) {
    std::vector<Element> sorted;
    for (const Indexed& one : finite) sorted.push_back(one.value);
    std::ranges::sort(sorted, {}, elementKey);
    stats.min = sorted.front();
    stats.max = sorted.back();
    stats.top = largest(finite);
    stats.absmax = magnitude(stats.top.front().value);
    stats.percentiles.emplace();
    for (std::size_t level = 0; level < percentileLevels.size(); ++level)
        (*stats.percentiles)[level] = sorted[percentileRank(level, sorted.size()) - 1];
    const BinRule bin(asDouble(*stats.min), asDouble(*stats.max), bins);
    stats.histogram = Histogram{asDouble(*stats.min), asDouble(*stats.max), std::vector<std::uint64_t>(bins)};
    for (const Element& value : sorted) ++stats.histogram->counts[bin(asDouble(value))];
}

void describeMoments(const std::vector<Indexed>& finite, TensorStats& stats) {
    std::vector<double> values;
    for (const Indexed& one : finite) values.push_back(asDouble(one.value));
    const bool constant = asDouble(*stats.min) == asDouble(*stats.max);
    describe(computeMoments(values), constant, stats);
    const OutlierRule isOutlier(*stats.mean, *stats.std, asDouble(*stats.absmax));
    stats.outliers6 = static_cast<std::uint64_t>(std::ranges::count_if(values, isOutlier));
}

Channels elementsChannels(const std::vector<Element>& elements, const Shape& shape, Axis axis, double absmax) {
    const ChannelGrid grid = channelGrid(shape);
    const std::size_t channels = axis == Axis::Row ? grid.rows : grid.columns;
    const int exponent = momentExponent(absmax);
    std::vector<std::vector<double>> values(channels);
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (const double value = asDouble(elements[i]); std::isfinite(value))
            values[axis == Axis::Row ? i / grid.columns : i % grid.columns].push_back(std::ldexp(value, -exponent));
    const double undefined = std::numeric_limits<double>::quiet_NaN();
    Channels result{axis, std::vector(channels, undefined), std::vector(channels, undefined)};
    for (std::size_t c = 0; c < channels; ++c) {
        if (values[c].empty()) continue;
        double largestOne = 0;
        double squares = 0;
        for (const double value : values[c]) {
            largestOne = std::max(largestOne, std::abs(value));
            squares += value * value;
        }
        result.absmax[c] = std::ldexp(largestOne, exponent);
        result.rms[c] = std::ldexp(std::sqrt(squares / static_cast<double>(values[c].size())), exponent);
    }
    return result;
}

} // namespace

Result<TensorStats> computeScalar(const TensorReader& reader, const Options& options) {
    WB_TRY(check(reader, options));
    WB_TRY_ASSIGN(const auto elements, readElements(reader));
    TensorStats stats;
    countKinds(elements, reader.dtype(), stats);
    const auto finite = finiteOnes(elements);
    if (!finite.empty()) {
        describeOrder(finite, options.bins, stats);
        describeMoments(finite, stats);
    }
    if (options.channels)
        stats.channels = elementsChannels(elements, reader.shape(), *options.channels, stats.absmax ? asDouble(*stats.absmax) : 0);
    return stats;
}

} // namespace wb::stats
