// SPDX-License-Identifier: MIT
#include "core/diff/sums.h"

#include "core/convert/quantize/error_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wb::diff {
namespace {

constexpr std::size_t tile = 4096; // stays in the first-level cache

template <typename T>
bool isChanged(T w, T v) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(w) != std::bit_cast<Bits>(v) && !(std::isnan(w) && std::isnan(v));
}

template <typename T>
void addOne(Sums& sums, T wStored, T vStored, double origin, std::uint64_t at) {
    sums.changed += isChanged(wStored, vStored);
    if (!std::isfinite(wStored) || !std::isfinite(vStored)) return;
    ++sums.finite;
    const double e = double{wStored} - double{vStored};
    const double w = double{wStored} - origin, v = double{vStored} - origin;
    sums.sums.e2 += e * e;
    sums.sums.w2 += w * w;
    sums.sums.v2 += v * v;
    sums.sums.wv += w * v;
    if (const double error = std::abs(e); error > sums.maxAbs) {
        sums.maxAbs = error;
        sums.maxAt = at;
    }
}

template <typename T>
Sums compareEach(std::span<const T> w, std::span<const T> v, double origin) {
    Sums sums;
    sums.elements = w.size();
    for (std::size_t i = 0; i < w.size(); ++i) addOne(sums, w[i], v[i], origin, i);
    return sums;
}

// What most tiles have in common, found without a branch for each element.
struct TileFacts {
    std::uint32_t changed = 0; // by bits
    bool isFinite = true;
};

TileFacts spanFacts(std::span<const float> w, std::span<const float> v) {
    constexpr std::uint32_t exponent = 0x7F800000;
    std::uint32_t changed = 0, special = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const auto a = std::bit_cast<std::uint32_t>(w[i]), b = std::bit_cast<std::uint32_t>(v[i]);
        changed += a != b;
        special |= static_cast<std::uint32_t>((a & exponent) == exponent) | static_cast<std::uint32_t>((b & exponent) == exponent);
    }
    return {changed, special == 0};
}

// The largest error of a tile of finite values: eight running maxima, which fill vectors.
double largestError(std::span<const float> w, std::span<const float> v) {
    constexpr std::size_t strands = 8;
    double largest[strands] = {};
    const std::size_t whole = w.size() / strands * strands;
    for (std::size_t i = 0; i < whole; i += strands)
        for (std::size_t k = 0; k < strands; ++k) {
            const double error = std::abs(double{w[i + k]} - double{v[i + k]});
            largest[k] = error > largest[k] ? error : largest[k];
        }
    double result = *std::ranges::max_element(largest);
    for (std::size_t i = whole; i < w.size(); ++i) result = std::max(result, std::abs(double{w[i]} - double{v[i]}));
    return result;
}

std::size_t firstWithError(std::span<const float> w, std::span<const float> v, double error) {
    std::size_t i = 0;
    while (i + 1 < w.size() && std::abs(double{w[i]} - double{v[i]}) != error) ++i;
    return i;
}

Sums compareTile(std::span<const float> w, std::span<const float> v) {
    const TileFacts facts = spanFacts(w, v);
    if (!facts.isFinite) return compareEach(w, v, 0);
    Sums sums;
    sums.elements = sums.finite = w.size();
    sums.changed = facts.changed;
    const auto part = quantize::errorSums(w, v);
    sums.sums = {part.e2, part.w2, part.v2, part.wv};
    if (w.empty()) return sums;
    sums.maxAbs = facts.changed == 0 ? 0 : largestError(w, v);
    sums.maxAt = facts.changed == 0 ? 0 : firstWithError(w, v, sums.maxAbs);
    return sums;
}

} // namespace

void Sums::add(const Sums& part, std::uint64_t first) {
    sums.e2 += part.sums.e2;
    sums.w2 += part.sums.w2;
    sums.v2 += part.sums.v2;
    sums.wv += part.sums.wv;
    elements += part.elements;
    finite += part.finite;
    changed += part.changed;
    if (part.maxAbs > maxAbs) {
        maxAbs = part.maxAbs;
        maxAt = first + part.maxAt;
    }
}

Sums compareValues(std::span<const float> w, std::span<const float> v, double origin) {
    if (origin != 0) return compareEach(w, v, origin); // vectors of norms: few
    Sums all;
    for (std::size_t i = 0; i < w.size(); i += tile) {
        const std::size_t count = std::min(tile, w.size() - i);
        all.add(compareTile(w.subspan(i, count), v.subspan(i, count)), i);
    }
    return all;
}

Sums compareValues(std::span<const double> w, std::span<const double> v, double origin) { return compareEach(w, v, origin); }

namespace scalar {
Sums compareValues(std::span<const float> w, std::span<const float> v, double origin) { return compareEach(w, v, origin); }
} // namespace scalar

Measures computeMeasures(const Sums& sums) {
    Measures measures;
    measures.elements = sums.elements;
    measures.changed = sums.changed;
    if (sums.maxAbs >= 0) measures.maxAbs = sums.maxAbs;
    const quant::ErrorSums& s = sums.sums;
    if (sums.finite > 0) measures.rmse = std::sqrt(s.e2 / static_cast<double>(sums.finite));
    if (s.w2 > 0) measures.relRmse = std::sqrt(s.e2 / s.w2);
    if (s.w2 > 0 && s.v2 > 0) {
        measures.snrDb = s.e2 == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(s.w2 / s.e2);
        measures.cosine = s.e2 == 0 ? 1 : std::clamp(s.wv / (std::sqrt(s.w2) * std::sqrt(s.v2)), -1.0, 1.0);
    }
    return measures;
}

} // namespace wb::diff
