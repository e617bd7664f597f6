// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

// The methods of merging in their plainest form: whole tensors, a sort instead of counting. Written from arcee-ai/mergekit
// (merge_methods/linear.py, slerp.py, generalized_task_arithmetic.py, sparsify.py) apart from the code under test.
namespace wb::test {

using Vector = std::vector<float>;

inline Vector plainLinear(const std::vector<Vector>& models, const Vector& weights, bool normalizes) {
    Vector result(models[0].size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        float sum = 0, total = 0;
        for (std::size_t m = 0; m < models.size(); ++m) {
            sum += weights[m] * models[m][i];
            total += weights[m];
        }
        result[i] = normalizes ? sum / total : sum;
    }
    return result;
}

inline Vector plainSlerp(const Vector& a, const Vector& b, double t) {
    double aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        aa += double{a[i]} * a[i];
        bb += double{b[i]} * b[i];
    }
    double dot = 0;
    for (std::size_t i = 0; i < a.size(); ++i) dot += a[i] / std::sqrt(aa) * (b[i] / std::sqrt(bb));
    const bool isParallel = std::abs(dot) > 0.9995;
    const double angle = std::acos(dot);
    const double left = isParallel ? 1 - t : std::sin((1 - t) * angle) / std::sin(angle);
    const double right = isParallel ? t : std::sin(t * angle) / std::sin(angle);
    Vector result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) result[i] = static_cast<float>(left * a[i] + right * b[i]);
    return result;
}

// Differences of models[1 …] from models[0].
inline Vector plainTies(const std::vector<Vector>& models, const Vector& weights, double density, float lambda, bool normalizes,
                        bool elects) {
    const std::size_t count = models[0].size();
    std::vector<Vector> differences;
    for (std::size_t m = 1; m < models.size(); ++m) {
        Vector difference(count);
        for (std::size_t i = 0; i < count; ++i) difference[i] = models[m][i] - models[0][i];
        if (density < 1) {
            std::vector<std::size_t> order(count);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::ranges::stable_sort(
                order, [&](std::size_t x, std::size_t y) { return std::abs(difference[x]) > std::abs(difference[y]); });
            for (auto i = static_cast<std::size_t>(density * static_cast<double>(count)); i < count; ++i) difference[order[i]] = 0;
        }
        for (float& value : difference) value *= weights[m - 1];
        differences.push_back(std::move(difference));
    }
    Vector result(count);
    for (std::size_t i = 0; i < count; ++i) {
        float elected = 0, sum = 0, divisor = 0;
        for (const Vector& difference : differences) elected += difference[i];
        for (std::size_t m = 0; m < differences.size(); ++m) {
            const float value = differences[m][i];
            const int sign = value > 0 ? 1 : value < 0 ? -1 : 0;
            if (elects && sign != (elected >= 0 ? 1 : -1)) continue;
            sum += value;
            divisor += weights[m];
        }
        if (normalizes) sum /= divisor == 0 ? 1 : divisor;
        if (lambda != 1) sum *= lambda;
        result[i] = models[0][i] + sum;
    }
    return result;
}

} // namespace wb::test
