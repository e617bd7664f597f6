// SPDX-License-Identifier: MIT
#include "core/quant/kernels/lattice.h"

#include "core/quant/kernels/fit.h"
#include "core/quant/kernels/rounding.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace wb::quant::scalar {
namespace {

constexpr std::size_t largest = 32; // elements of a sub-block

// One sub-block while it is being fitted.
struct SubBlock {
    std::size_t size;
    std::array<float, largest> y; // magnitudes, after the signs were taken away
    std::array<float, largest> weights;
    std::array<float, largest> rootWeights; // what distances to neighbors are weighted with
    std::array<std::uint8_t, largest> digits{};
    std::array<std::uint8_t, 4> signs{};
    std::array<bool, 8> onGrid{};
};

void takeSigns(const LatticeType& type, std::span<const float> x, SubBlock& sub) {
    for (std::size_t k = 0; k < sub.size / 8; ++k) {
        unsigned signs = 0;
        for (unsigned i = 0; i < 8; ++i) {
            const float value = x[8 * k + i];
            if (value < 0) signs |= 1u << i;
            sub.y[8 * k + i] = value < 0 ? -value : value;
        }
        if (type.paritySigns && std::popcount(signs) % 2 != 0) {
            // The element that costs least takes the wrong sign, and with it a negative magnitude.
            std::size_t cheapest = 0;
            const auto cost = [&](std::size_t i) { return sub.weights[8 * k + i] * x[8 * k + i] * x[8 * k + i]; };
            for (std::size_t i = 1; i < 8; ++i)
                if (cost(i) < cost(cheapest)) cheapest = i;
            sub.y[8 * k + cheapest] = -sub.y[8 * k + cheapest];
            signs ^= 1u << cheapest;
        }
        sub.signs[k] = static_cast<std::uint8_t>(type.paritySigns ? signs & 127 : signs);
    }
}

unsigned codeOf(const Grid& grid, const std::uint8_t* digits) {
    const unsigned bits = grid.digits() == 8 ? 2 : 3;
    unsigned code = 0;
    for (unsigned i = 0; i < grid.digits(); ++i) code |= static_cast<unsigned>(digits[i]) << (bits * i);
    return code;
}

// The neighbor of a code outside the grid that is nearest to y at this scale; the first on ties.
unsigned nearestNeighbor(const Grid& grid, unsigned code, const float* y, const float* weights, float scale) {
    float best = std::numeric_limits<float>::max();
    unsigned found = 0;
    for (const std::uint16_t candidate : grid.neighbors(code)) {
        float distance = 0;
        for (unsigned i = 0; i < grid.digits(); ++i) {
            const float e = scale * static_cast<float>(2 * grid.digit(candidate, i) + 1) - y[i];
            distance += weights[i] * e * e;
        }
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

// Rounds group `k` to the grid at the given scale. True if it was a point already, without a neighbor's help.
bool roundToGrid(const LatticeType& type, const SubBlock& sub, std::size_t k, float inverse, float scale, std::uint8_t* digits) {
    const Grid& grid = type.grid();
    const unsigned n = grid.digits();
    const std::size_t first = k * n;
    for (unsigned i = 0; i < n; ++i)
        digits[i] = static_cast<std::uint8_t>(clampInt(nearestInt(0.5f * (inverse * sub.y[first + i] - 1)), 0, type.levels - 1));
    const unsigned code = codeOf(grid, digits);
    if (grid.pointOf(code) >= 0) return true;
    const unsigned found = nearestNeighbor(grid, code, &sub.y[first], &sub.rootWeights[first], scale);
    std::copy_n(grid.point(found), n, digits);
    return false;
}

struct Sums {
    float qx = 0;
    float q2 = 0;
};

Sums subSums(const SubBlock& sub, const std::array<std::uint8_t, largest>& digits) {
    Sums sums;
    for (std::size_t i = 0; i < sub.size; ++i) {
        const auto q = static_cast<float>(2 * digits[i] + 1);
        sums.qx += sub.weights[i] * sub.y[i] * q;
        sums.q2 += sub.weights[i] * q * q;
    }
    return sums;
}

// Tries inverse scales around (2·levels - 1) / reach and keeps the best in `sub`; returns its scale.
float searchScale(const LatticeType& type, float reach, float start, SubBlock& sub) {
    const std::size_t groups = sub.size / type.grid().digits();
    float scale = start;
    float best = 0;
    for (int t = -type.tries; t <= type.tries; ++t) {
        const float inverse = (static_cast<float>(2 * type.levels - 1) + static_cast<float>(t) * type.step) / reach;
        const float tried = 1 / inverse;
        std::array<std::uint8_t, largest> digits;
        std::array<bool, 8> onGrid{};
        for (std::size_t k = 0; k < groups; ++k)
            onGrid[k] = roundToGrid(type, sub, k, inverse, tried, &digits[k * type.grid().digits()]);
        const Sums sums = subSums(sub, digits);
        if (!(sums.q2 > 0 && sums.qx * sums.qx > best * sums.q2)) continue;
        scale = sums.qx / sums.q2;
        best = scale * sums.qx;
        sub.digits = digits;
        sub.onGrid = onGrid;
    }
    return scale;
}

// With the scale found, points are rounded again and the scale follows them.
float refit(const LatticeType& type, float scale, SubBlock& sub) {
    const unsigned n = type.grid().digits();
    const std::size_t groups = sub.size / n;
    const bool someOff =
        std::ranges::count(sub.onGrid.begin(), sub.onGrid.begin() + static_cast<std::ptrdiff_t>(groups), false) > 0;
    if (!(scale > 0) || (!someOff && (!type.refitsAllPoints || type.refitsOnlyIfOff))) return scale;
    const float inverse = 1 / scale;
    for (std::size_t k = 0; k < groups; ++k)
        if (type.refitsAllPoints || !sub.onGrid[k]) roundToGrid(type, sub, k, inverse, scale, &sub.digits[k * n]);
    const Sums sums = subSums(sub, sub.digits);
    return sums.q2 > 0 ? sums.qx / sums.q2 : scale;
}

// The scale of one sub-block, with its digits and signs in `sub`; empty where the sub-block is skipped.
std::optional<float> fitSubBlock(const LatticeType& type, SubBlock& sub) {
    const std::span<const float> y = std::span(sub.y).first(sub.size);
    const float highest = *std::ranges::max_element(y);
    if (type.emptyBelow > 0 ? highest < type.emptyBelow : highest == 0) return std::nullopt;
    float reach = highest;
    float scale = highest / static_cast<float>(2 * type.levels - 1);
    if (type.startsFromPositiveFit) {
        scale = fitPositive(type.levels + 1, y, std::span(sub.weights).first(sub.size), std::span(sub.digits).first(sub.size));
        reach = scale * static_cast<float>(type.levels);
        if (reach <= 0) return std::nullopt;
        // QP's codes reach one level too far; they are replaced as soon as a candidate is accepted.
        for (std::uint8_t& digit : sub.digits) digit = std::min<std::uint8_t>(digit, static_cast<std::uint8_t>(type.levels - 1));
    }
    sub.onGrid.fill(type.flagsStartOnGrid);
    scale = refit(type, searchScale(type, reach, scale, sub), sub);
    if (!(scale < 0)) return scale;
    for (std::uint8_t& signs : sub.signs) signs = static_cast<std::uint8_t>(~signs & (type.paritySigns ? 127 : 255));
    return -scale;
}

SubBlock prepare(const LatticeType& type, const Block& block, std::size_t b, float meanSquare) {
    SubBlock sub;
    sub.size = type.subBlock;
    const auto x = block.x.subspan(b * sub.size, sub.size);
    for (std::size_t i = 0; i < sub.size; ++i) {
        const float square = x[i] * x[i];
        const float plain = type.plainMean != 0 ? type.plainMean * meanSquare + square : square;
        sub.weights[i] = block.weights.empty() ? plain : block.weights[b * sub.size + i] * std::sqrt(meanSquare + square);
        sub.rootWeights[i] = std::sqrt(sub.weights[i]);
    }
    takeSigns(type, x, sub);
    return sub;
}

void keep(const LatticeType& type, const SubBlock& sub, std::size_t b, LatticeFit& fit) {
    const Grid& grid = type.grid();
    const std::size_t groups = sub.size / grid.digits();
    for (std::size_t k = 0; k < groups; ++k) {
        const int point = grid.pointOf(codeOf(grid, &sub.digits[k * grid.digits()]));
        fit.points[b * groups + k] = static_cast<std::uint16_t>(std::max(point, 0));
    }
    std::copy_n(sub.signs.begin(), sub.size / 8, &fit.signs[b * sub.size / 8]);
}

} // namespace

void setScales(const LatticeType& type, std::span<const float> scales, LatticeFit& fit) {
    if (std::ranges::any_of(scales, [](float scale) { return std::isnan(scale); })) {
        fit.d = f32ToF16(std::numeric_limits<float>::quiet_NaN());
        return;
    }
    float highest = 0;
    for (const float scale : scales) highest = std::max(highest, scale);
    fit.empty = highest == 0;
    if (fit.empty) return;
    const float d = highest / 31;
    fit.d = f32ToF16(d * type.storedFactor);
    const float inverse = 1 / d;
    for (std::size_t b = 0; b < scales.size(); ++b)
        fit.scales[b] = static_cast<std::uint8_t>(clampInt(nearestInt(0.5f * (inverse * scales[b] - 1)), 0, 15));
}

LatticeFit fitLattice(const LatticeType& type, const Block& block) {
    LatticeFit fit;
    float sumSquares = 0;
    for (const float x : block.x) sumSquares += x * x;
    const float meanSquare = type.meanSquareFactor * sumSquares / 256;
    const std::size_t subBlocks = 256 / type.subBlock;
    std::array<float, 16> scales{};
    for (std::size_t b = 0; b < subBlocks; ++b) {
        SubBlock sub = prepare(type, block, b, meanSquare);
        const auto scale = fitSubBlock(type, sub);
        fit.skipped[b] = !scale.has_value();
        if (!scale) continue;
        keep(type, sub, b, fit);
        scales[b] = *scale;
    }
    setScales(type, std::span(scales).first(subBlocks), fit);
    return fit;
}

} // namespace wb::quant::scalar
