// SPDX-License-Identifier: MIT
#include "core/stats/moments.h"

#include "core/stats/rules.h"

#include <algorithm>
#include <cmath>

namespace wb::stats {
namespace {

Moments rescaled(const Moments& moments, int exponent) {
    const int shift = moments.exponent - exponent;
    if (shift == 0) return moments;
    return {moments.n,
            exponent,
            std::ldexp(moments.mean, shift),
            std::ldexp(moments.m2, 2 * shift),
            std::ldexp(moments.m3, 3 * shift),
            std::ldexp(moments.m4, 4 * shift)};
}

// A sum that keeps what rounding takes from it (Neumaier's variant of Kahan's).
class CompensatedSum {
public:
    void add(double term) {
        const double sum = m_sum + term;
        m_lost += std::abs(m_sum) >= std::abs(term) ? (m_sum - sum) + term : (term - sum) + m_sum;
        m_sum = sum;
    }
    double total() const { return m_sum + m_lost; }

private:
    double m_sum = 0;
    double m_lost = 0;
};

} // namespace

Moments merge(const Moments& left, const Moments& right) {
    if (left.n == 0) return right;
    if (right.n == 0) return left;
    const int exponent = std::max(left.exponent, right.exponent);
    const Moments a = rescaled(left, exponent);
    const Moments b = rescaled(right, exponent);
    const auto nA = static_cast<double>(a.n);
    const auto nB = static_cast<double>(b.n);
    const double n = nA + nB;
    const double shareA = nA / n;
    const double shareB = nB / n;
    const double delta = b.mean - a.mean;
    const double delta2 = delta * delta;
    Moments sum{a.n + b.n, exponent, 0, 0, 0, 0};
    sum.mean = a.mean + delta * shareB;
    sum.m2 = a.m2 + b.m2 + delta2 * nA * shareB;
    sum.m3 = a.m3 + b.m3 + delta2 * delta * nA * shareB * (shareA - shareB) + 3 * delta * (shareA * b.m2 - shareB * a.m2);
    sum.m4 = a.m4 + b.m4 + delta2 * delta2 * nA * shareB * (shareA * shareA - shareA * shareB + shareB * shareB) +
             6 * delta2 * (shareA * shareA * b.m2 + shareB * shareB * a.m2) + 4 * delta * (shareA * b.m3 - shareB * a.m3);
    return sum;
}

void MomentTree::add(const Moments& leaf) {
    Node node{leaf, 0};
    while (!m_nodes.empty() && m_nodes.back().level == node.level) {
        node = {merge(m_nodes.back().moments, node.moments), node.level + 1};
        m_nodes.pop_back();
    }
    m_nodes.push_back(node);
}

Moments MomentTree::total() const {
    Moments sum;
    for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node) sum = merge(node->moments, sum);
    return sum;
}

Moments computeMoments(std::span<const double> values) {
    Moments moments;
    double absmax = 0;
    for (const double value : values) absmax = std::max(absmax, std::abs(value));
    if (values.empty()) return moments;
    moments.n = values.size();
    moments.exponent = momentExponent(absmax);
    const auto scaled = [&](double value) { return moments.exponent == 0 ? value : std::ldexp(value, -moments.exponent); };
    CompensatedSum sum;
    for (const double value : values) sum.add(scaled(value));
    moments.mean = sum.total() / static_cast<double>(values.size());
    CompensatedSum squares, cubes, fourths;
    for (const double value : values) {
        const double d = scaled(value) - moments.mean;
        squares.add(d * d);
        cubes.add(d * d * d);
        fourths.add(d * d * (d * d));
    }
    moments.m2 = squares.total();
    moments.m3 = cubes.total();
    moments.m4 = fourths.total();
    return moments;
}

void describe(const Moments& moments, bool constant, TensorStats& stats) {
    if (moments.n == 0) return;
    const auto n = static_cast<double>(moments.n);
    const double mean = constant ? asDouble(*stats.min) : std::ldexp(moments.mean, moments.exponent);
    const double variance = constant ? 0 : moments.m2 / n;
    stats.mean = mean;
    stats.std = std::ldexp(std::sqrt(variance), moments.exponent);
    stats.rms = constant ? std::abs(mean) : std::ldexp(std::sqrt(moments.mean * moments.mean + variance), moments.exponent);
    if (constant || moments.n < 2 || moments.m2 == 0) return;
    stats.skew = moments.m3 / n / (variance * std::sqrt(variance));
    stats.kurtosis = moments.m4 / n / (variance * variance) - 3;
}

} // namespace wb::stats
