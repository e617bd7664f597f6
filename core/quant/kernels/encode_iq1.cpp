// SPDX-License-Identifier: MIT
#include "core/quant/kernels/encoders.h"

#include "core/quant/kernels/grid.h"
#include "core/quant/kernels/iq1.h"
#include "core/quant/kernels/rounding.h"
#include "core/tensor/block_layout.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

// IQ1_S and IQ1_M: three levels a digit, moved by an eighth up or down (docs/reference/gguf.md, "iq1_s, iq1_m"). The optimal two
// cuts of the sorted values are found by trying all of them with prefix sums.
namespace wb::quant::scalar {
namespace {

using iq1::Levels;
using iq1::shiftDown;
using iq1::shiftUp;
using iq1::SubBlockM;
using iq1::SubBlockS;

constexpr std::size_t largest = 32;
using Order = std::array<std::uint8_t, largest>;
using Digits = std::array<std::uint8_t, largest>;

// Indices by ascending value; equal values (and both zeros) keep their order.
Order sortedOrder(std::span<const float> x) {
    Order order;
    const auto used = std::span(order).first(x.size());
    std::iota(used.begin(), used.end(), std::uint8_t{0});
    std::ranges::stable_sort(used, [x](std::uint8_t a, std::uint8_t b) { return x[a] < x[b]; });
    return order;
}

std::array<float, 256> blockWeights(const Block& block) {
    float sum = 0;
    for (const float x : block.x) sum += x * x;
    const float meanSquare = 2 * sum / 256;
    std::array<float, 256> weights;
    for (std::size_t i = 0; i < 256; ++i) {
        const float square = block.x[i] * block.x[i];
        weights[i] = block.weights.empty() ? square : block.weights[i] * std::sqrt(meanSquare + square);
    }
    return weights;
}

bool isEmpty(std::span<const float> x, float limit) {
    float highest = std::fabs(x[0]);
    for (const float value : x) highest = std::max(highest, std::fabs(value));
    return highest < limit;
}

void digitsFromCuts(const Order& order, std::size_t size, std::size_t cut1, std::size_t cut2, Digits& digits) {
    for (std::size_t i = 0; i < size; ++i) digits[order[i]] = i < cut1 ? 0 : i < cut2 ? 1 : 2;
}

void mirror(std::span<std::uint8_t> digits) {
    for (std::uint8_t& digit : digits) digit = static_cast<std::uint8_t>(2 - digit);
}

unsigned codeOf(const std::uint8_t* digits) {
    unsigned code = 0;
    for (unsigned i = 0; i < 8; ++i) code |= static_cast<unsigned>(digits[i]) << (2 * i);
    return code;
}

// The grid point of eight digits, or the neighbor nearest to x; `moved` is set if a neighbor was needed.
std::uint16_t pointFor(const std::uint8_t* digits, const float* x, const float* weights, float scale, const Levels& levels,
                       bool& moved) {
    const Grid& grid = gridIq1();
    const unsigned code = codeOf(digits);
    if (const int point = grid.pointOf(code); point >= 0) return static_cast<std::uint16_t>(point);
    moved = true;
    float best = std::numeric_limits<float>::max();
    std::uint16_t found = 0;
    for (const std::uint16_t candidate : grid.neighbors(code)) {
        float distance = 0;
        for (unsigned i = 0; i < 8; ++i) {
            const float e = scale * levels[grid.digit(candidate, i)] - x[i];
            distance += weights[i] * e * e;
        }
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

struct Sums {
    float qx = 0;
    float q2 = 0;
};

void addPoint(Sums& sums, unsigned point, const Levels& levels, const float* x, const float* weights) {
    for (unsigned i = 0; i < 8; ++i) {
        const float q = levels[gridIq1().digit(point, i)];
        sums.qx += weights[i] * q * x[i];
        sums.q2 += weights[i] * q * q;
    }
}

// ---- IQ1_S: 32 elements share a scale and a shift.

struct CutsS {
    float scale = 0;
    float best = -std::numeric_limits<float>::max();
    int cut1 = -1;
    int cut2 = -1;
    bool down = false;
};

void tryCuts(const std::array<float, 33>& sumX, const std::array<float, 33>& sumW, int cut1, int cut2, bool down, CutsS& found) {
    const Levels& q = down ? shiftDown : shiftUp;
    const auto a = static_cast<std::size_t>(cut1);
    const auto b = static_cast<std::size_t>(cut2);
    const float qx = (sumX[a] - sumX[0]) * q[0] + (sumX[b] - sumX[a]) * q[1] + (sumX[32] - sumX[b]) * q[2];
    const float q2 = (sumW[a] - sumW[0]) * q[0] * q[0] + (sumW[b] - sumW[a]) * q[1] * q[1] + (sumW[32] - sumW[b]) * q[2] * q[2];
    if (!(q2 > 0 && qx * qx > found.best * q2)) return;
    found.scale = qx / q2;
    found.best = found.scale * qx;
    found.cut1 = cut1;
    found.cut2 = cut2;
    found.down = down;
}

CutsS searchCuts(std::span<const float> x, std::span<const float> weights, const Order& order) {
    std::array<float, 33> sumX{};
    std::array<float, 33> sumW{};
    for (std::size_t i = 0; i < 32; ++i) {
        sumX[i + 1] = sumX[i] + weights[order[i]] * x[order[i]];
        sumW[i + 1] = sumW[i] + weights[order[i]];
    }
    CutsS found;
    for (int cut1 = 0; cut1 <= 32; ++cut1)
        for (int cut2 = cut1; cut2 <= 32; ++cut2)
            for (const bool down : {false, true}) tryCuts(sumX, sumW, cut1, cut2, down, found);
    return found;
}

SubBlockS fitS(std::span<const float> x, std::span<const float> weights) {
    SubBlockS sub;
    if (isEmpty(x, 1e-12f)) return sub;
    const Order order = sortedOrder(x);
    const CutsS cuts = searchCuts(x, weights, order);
    if (cuts.cut1 < 0) return sub;
    Digits digits;
    digitsFromCuts(order, 32, static_cast<std::size_t>(cuts.cut1), static_cast<std::size_t>(cuts.cut2), digits);
    sub.scale = cuts.scale;
    sub.down = cuts.down;
    if (sub.scale < 0) {
        mirror(digits);
        sub.scale = -sub.scale;
        sub.down = !sub.down;
    }
    const Levels& levels = sub.down ? shiftDown : shiftUp;
    bool moved = false;
    for (std::size_t k = 0; k < 4; ++k)
        sub.points[k] = pointFor(&digits[8 * k], &x[8 * k], &weights[8 * k], sub.scale, levels, moved);
    if (!moved) return sub;
    Sums sums;
    for (std::size_t k = 0; k < 4; ++k) addPoint(sums, sub.points[k], levels, &x[8 * k], &weights[8 * k]);
    if (sums.qx > 0 && sums.q2 > 0) sub.scale = sums.qx / sums.q2;
    return sub;
}

// ---- IQ1_M: 16 elements share a scale, each half of 8 has its own shift.

const Levels& levelsFromShifts(unsigned shifts, std::size_t half) { return (shifts >> (1 - half) & 1) != 0 ? shiftDown : shiftUp; }

struct HalfSums {
    std::array<std::array<float, 17>, 2> x{};
    std::array<std::array<float, 17>, 2> w{};
};

HalfSums prefixSums(std::span<const float> x, std::span<const float> weights, const Order& order) {
    HalfSums sums;
    for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t e = order[i];
        for (std::size_t half = 0; half < 2; ++half) {
            sums.x[half][i + 1] = sums.x[half][i];
            sums.w[half][i + 1] = sums.w[half][i];
        }
        sums.x[e / 8][i + 1] += weights[e] * x[e];
        sums.w[e / 8][i + 1] += weights[e];
    }
    return sums;
}

Sums halfAt(const HalfSums& sums, std::size_t half, std::size_t cut1, std::size_t cut2, const Levels& q) {
    const auto& w = sums.w[half];
    const float below = sums.x[half][cut1] + sums.x[half][cut2];
    return {sums.x[half][16] * q[2] - below,
            w[16] * q[2] * q[2] + w[cut1] * (q[0] * q[0] - q[1] * q[1]) + w[cut2] * (q[1] * q[1] - q[2] * q[2])};
}

struct CutsM {
    float scale = 0;
    float best = -std::numeric_limits<float>::max();
    bool found = false;
    std::size_t cut1 = 0;
    std::size_t cut2 = 0;
    unsigned shifts = 0;
};

CutsM searchCutsM(const HalfSums& sums) {
    CutsM best;
    for (std::size_t cut1 = 0; cut1 <= 16; ++cut1) {
        for (std::size_t cut2 = cut1; cut2 <= 16; ++cut2) {
            for (unsigned shifts = 0; shifts < 4; ++shifts) {
                const Sums first = halfAt(sums, 0, cut1, cut2, levelsFromShifts(shifts, 0));
                const Sums second = halfAt(sums, 1, cut1, cut2, levelsFromShifts(shifts, 1));
                const float qx = first.qx + second.qx;
                const float q2 = first.q2 + second.q2;
                if (!(q2 > 0 && qx * qx > best.best * q2)) continue;
                best = {qx / q2, qx / q2 * qx, true, cut1, cut2, shifts};
            }
        }
    }
    return best;
}

SubBlockM fitM(std::span<const float> x, std::span<const float> weights) {
    SubBlockM sub;
    if (isEmpty(x, 1e-7f)) return sub;
    const Order order = sortedOrder(x);
    const CutsM cuts = searchCutsM(prefixSums(x, weights, order));
    if (!cuts.found) return sub;
    Digits digits;
    digitsFromCuts(order, 16, cuts.cut1, cuts.cut2, digits);
    sub.scale = cuts.scale;
    sub.shifts = cuts.shifts;
    if (sub.scale < 0) {
        mirror(digits);
        sub.scale = -sub.scale;
        sub.shifts = 3 - sub.shifts;
    }
    bool moved = false;
    for (std::size_t h = 0; h < 2; ++h)
        sub.points[h] = pointFor(&digits[8 * h], &x[8 * h], &weights[8 * h], sub.scale, levelsFromShifts(sub.shifts, h), moved);
    if (!moved) return sub;
    Sums sums;
    for (std::size_t h = 0; h < 2; ++h) addPoint(sums, sub.points[h], levelsFromShifts(sub.shifts, h), &x[8 * h], &weights[8 * h]);
    if (sums.qx > 0 && sums.q2 > 0) sub.scale = sums.qx / sums.q2;
    return sub;
}

} // namespace

void encodeIq1S(const Block& block) {
    const auto weights = blockWeights(block);
    std::array<SubBlockS, 8> subs;
    for (std::size_t b = 0; b < 8; ++b) subs[b] = fitS(block.x.subspan(32 * b, 32), std::span(weights).subspan(32 * b, 32));
    iq1::storeS(subs, block.out);
}

void encodeIq1M(const Block& block) {
    const auto weights = blockWeights(block);
    std::array<SubBlockM, 16> subs;
    for (std::size_t j = 0; j < 16; ++j) subs[j] = fitM(block.x.subspan(16 * j, 16), std::span(weights).subspan(16 * j, 16));
    iq1::storeM(subs, block.x, weights, block.out);
}

} // namespace wb::quant::scalar
