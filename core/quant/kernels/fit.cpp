// SPDX-License-Identifier: MIT
#include "core/quant/kernels/fit.h"

#include "core/quant/kernels/rounding.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wb::quant {
namespace {

constexpr float emptyGroup = 1e-15f;
constexpr std::size_t largestGroup = 32;

struct Sums {
    float lx = 0; // Σ w·x·l
    float l2 = 0; // Σ w·l·l
};

float weightOr(std::span<const float> weights, std::span<const float> x, std::size_t i) {
    return weights.empty() ? x[i] * x[i] : weights[i];
}

Sums symmetricSums(int n, float inverse, std::span<const float> x, std::span<const float> weights) {
    Sums sums;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto l = static_cast<float>(clampInt(nearestInt(inverse * x[i]), -n, n - 1));
        const float w = weightOr(weights, x, i);
        sums.lx += w * x[i] * l;
        sums.l2 += w * l * l;
    }
    return sums;
}

void symmetricCodes(int n, float inverse, std::span<const float> x, std::span<std::uint8_t> codes) {
    for (std::size_t i = 0; i < x.size(); ++i)
        codes[i] = static_cast<std::uint8_t>(n + clampInt(nearestInt(inverse * x[i]), -n, n - 1));
}

// One element of a Q3 sweep: moves its code where that raises lx² / l2. True if it moved.
bool improve(int n, float x, int& code, Sums& sums) {
    const float w = x * x;
    const auto old = static_cast<float>(code);
    float lx = sums.lx - w * x * old;
    if (!(lx > 0)) return false;
    float l2 = sums.l2 - w * old * old;
    const int next = clampInt(nearestInt(x * l2 / lx), -n, n - 1);
    if (next == code) return false;
    const auto level = static_cast<float>(next);
    lx += w * x * level;
    l2 += w * level * level;
    if (!(l2 > 0 && lx * lx * sums.l2 > sums.lx * sums.lx * l2)) return false;
    code = next;
    sums = {lx, l2};
    return true;
}

struct Range {
    float low, high, weight, weightedX; // strict minimum and maximum, Σ w, Σ w·x
};

Range spanRange(std::span<const float> x, std::span<const float> weights) {
    Range range{x[0], x[0], weights[0], weights[0] * x[0]};
    for (std::size_t i = 1; i < x.size(); ++i) {
        if (x[i] < range.low) range.low = x[i];
        if (x[i] > range.high) range.high = x[i];
        range.weight += weights[i];
        range.weightedX += weights[i] * x[i];
    }
    if (range.low > 0) range.low = 0;
    return range;
}

using Codes = std::array<std::uint8_t, largestGroup>;

float affineError(std::span<const float> x, std::span<const float> weights, const Codes& codes, float scale, float low,
                  bool absolute) {
    float error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const float e = scale * static_cast<float>(codes[i]) + low - x[i];
        error += weights[i] * (absolute ? std::fabs(e) : e * e);
    }
    return error;
}

void affineCodes(int n, float inverse, float low, std::span<const float> x, Codes& codes) {
    for (std::size_t i = 0; i < x.size(); ++i)
        codes[i] = static_cast<std::uint8_t>(clampInt(nearestInt(inverse * (x[i] - low)), 0, n));
}

// The least-squares scale and offset for fixed codes; false where the system has no solution. An offset above 0 is not
// representable.
bool solveAffine(std::span<const float> x, std::span<const float> weights, const Codes& codes, const Range& range, float& scale,
                 float& low) {
    float l = 0;
    float l2 = 0;
    float lx = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto code = static_cast<float>(codes[i]);
        l += weights[i] * code;
        l2 += weights[i] * code * code;
        lx += weights[i] * code * x[i];
    }
    const float determinant = range.weight * l2 - l * l;
    if (!(determinant > 0)) return false;
    scale = (range.weight * lx - range.weightedX * l) / determinant;
    low = (l2 * range.weightedX - l * lx) / determinant;
    if (low > 0) {
        low = 0;
        scale = lx / l2;
    }
    return true;
}

// The inverse scale of the smallest weighted squared error among nine candidates around n / largest.
float bestPositiveInverse(int n, float largest, std::span<const float> x, std::span<const float> weights) {
    const auto error = [&](float scale, auto codeOf) {
        float sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const float e = x[i] - scale * static_cast<float>(codeOf(x[i]));
            sum += weights[i] * e * e;
        }
        return sum;
    };
    float best = static_cast<float>(n) / largest;
    // The first candidate is judged by its codes as stored in a byte, the others by the clamped integers: the reference does so.
    float bestError = error(1 / best, [&](float v) { return static_cast<std::uint8_t>(nearestInt(best * v)); });
    for (int t = -4; t <= 4; ++t) {
        if (t == 0) continue;
        const float inverse = (0.1f * static_cast<float>(t) + static_cast<float>(n)) / largest;
        const float sum = error(1 / inverse, [&](float v) { return std::min(n, nearestInt(inverse * v)); });
        if (sum < bestError) {
            bestError = sum;
            best = inverse;
        }
    }
    return best;
}

bool improvePositive(int n, float x, float w, std::uint8_t& code, Sums& sums) {
    const auto old = static_cast<float>(code);
    float lx = sums.lx - w * x * old;
    float l2 = sums.l2 - w * old * old;
    if (!(lx > 0 && l2 > 0)) return false;
    const int next = std::min(n, nearestInt(x * l2 / lx));
    if (next == code) return false;
    const auto level = static_cast<float>(next);
    lx += w * x * level;
    l2 += w * level * level;
    if (!(lx * lx * sums.l2 > sums.lx * sums.lx * l2)) return false;
    code = static_cast<std::uint8_t>(next);
    sums = {lx, l2};
    return true;
}

} // namespace

SignedLargest signedLargest(std::span<const float> x) {
    SignedLargest largest;
    for (const float value : x)
        if (std::fabs(value) > largest.magnitude) largest = {value, std::fabs(value)};
    return largest;
}

float fitSymmetric(int n, std::span<const float> x, std::span<const float> weights, std::span<std::uint8_t> codes) {
    const SignedLargest largest = signedLargest(x);
    if (largest.magnitude < emptyGroup) {
        std::ranges::fill(codes, 0);
        return 0;
    }
    float bestInverse = static_cast<float>(-n) / largest.value;
    const Sums first = symmetricSums(n, bestInverse, x, weights);
    float scale = first.l2 != 0 ? first.lx / first.l2 : 0.0f;
    float best = scale * first.lx;
    for (int t = -9; t <= 9; ++t) {
        if (t == 0) continue;
        const float inverse = -(static_cast<float>(n) + 0.1f * static_cast<float>(t)) / largest.value;
        const Sums sums = symmetricSums(n, inverse, x, weights);
        if (!(sums.l2 > 0 && sums.lx * sums.lx > best * sums.l2)) continue;
        bestInverse = inverse;
        scale = sums.lx / sums.l2;
        best = scale * sums.lx;
    }
    symmetricCodes(n, bestInverse, x, codes);
    return scale;
}

float fitBySweeps(int n, std::span<const float> x, std::span<std::uint8_t> codes) {
    const SignedLargest largest = signedLargest(x);
    if (largest.magnitude < emptyGroup) {
        std::ranges::fill(codes, 0);
        return 0;
    }
    const float inverse = static_cast<float>(-n) / largest.value;
    std::array<int, largestGroup> levels{};
    for (std::size_t i = 0; i < x.size(); ++i) levels[i] = clampInt(nearestInt(inverse * x[i]), -n, n - 1);
    Sums sums = symmetricSums(n, inverse, x, {});
    for (int sweep = 0; sweep < 5; ++sweep) {
        bool changed = false;
        for (std::size_t i = 0; i < x.size(); ++i) changed |= improve(n, x[i], levels[i], sums);
        if (!changed) break;
    }
    for (std::size_t i = 0; i < x.size(); ++i) codes[i] = static_cast<std::uint8_t>(levels[i] + n);
    return sums.l2 > 0 ? sums.lx / sums.l2 : 0.0f;
}

AffineFit fitAffine(int n, std::span<const float> x, std::span<const float> weights, const AffineSearch& search,
                    std::span<std::uint8_t> codes) {
    const Range range = spanRange(x, weights);
    float low = range.low;
    if (search.emptyIfNotAbove ? range.high <= low : range.high == low) {
        std::ranges::fill(codes, 0);
        return {0, -low};
    }
    const auto top = static_cast<float>(n);
    Codes best{};
    const float inverse = top / (range.high - low);
    float scale = 1 / inverse;
    affineCodes(n, inverse, low, x, best);
    float bestError = affineError(x, weights, best, scale, low, search.absoluteError);
    for (int t = 0; t <= search.tries; ++t) {
        Codes tried{};
        // The accepted low moves the next candidates, so the steps depend on each other.
        const float candidate = (search.first + search.step * static_cast<float>(t) + top) / (range.high - low);
        affineCodes(n, candidate, low, x, tried);
        float triedScale = 0;
        float triedLow = 0;
        if (!solveAffine(x, weights, tried, range, triedScale, triedLow)) continue;
        const float error = affineError(x, weights, tried, triedScale, triedLow, search.absoluteError);
        if (!(error < bestError)) continue;
        best = tried;
        bestError = error;
        scale = triedScale;
        low = triedLow;
    }
    std::copy_n(best.begin(), x.size(), codes.begin());
    return {scale, -low};
}

float fitPositive(int n, std::span<const float> x, std::span<const float> weights, std::span<std::uint8_t> codes) {
    float largest = 0;
    for (const float value : x) largest = std::max(largest, value);
    if (largest < emptyGroup) {
        std::ranges::fill(codes, 0);
        return 0;
    }
    const float inverse = bestPositiveInverse(n, largest, x, weights);
    Sums sums;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const int level = std::min(n, nearestInt(inverse * x[i]));
        codes[i] = static_cast<std::uint8_t>(level);
        const auto l = static_cast<float>(level);
        sums.lx += weights[i] * x[i] * l;
        sums.l2 += weights[i] * l * l;
    }
    for (int sweep = 0; sweep < 5; ++sweep) {
        bool changed = false;
        for (std::size_t i = 0; i < x.size(); ++i) changed |= improvePositive(n, x[i], weights[i], codes[i], sums);
        if (!changed) break;
    }
    return sums.l2 > 0 ? sums.lx / sums.l2 : 0.0f;
}

} // namespace wb::quant
