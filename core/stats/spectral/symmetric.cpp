// SPDX-License-Identifier: MIT
#include "core/stats/spectral/symmetric.h"

#include "core/jobs/thread_pool.h"
#include "core/stats/spectral/products.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace wb::stats {
namespace {

constexpr std::size_t columnsAtOnce = 512; // of a product that threads share
constexpr std::size_t rowsAtOnce = 64;

struct Tridiagonal {
    std::vector<double> diagonal, next; // next[i] is between i and i + 1
};

// Turns a vector into the one of its reflection, v with v[0] = 1, and returns its factor; `first` is the entry that remains.
double reflect(std::span<double> v, double& first) {
    const double scale = std::fabs(*std::ranges::max_element(v, {}, [](double x) { return std::fabs(x); }));
    if (scale == 0) {
        first = 0;
        return 0;
    }
    double norm = 0;
    for (const double x : v) norm += (x / scale) * (x / scale);
    norm = std::sqrt(norm) * scale;
    first = v[0] > 0 ? -norm : norm;
    const double head = v[0] - first;
    const double factor = -head / first;
    for (double& x : v) x /= head;
    v[0] = 1;
    return factor;
}

Result<Tridiagonal> tridiagonalize(std::vector<double>& matrix, std::size_t n, unsigned threads, const Progress& progress) {
    Tridiagonal result{std::vector<double>(n), std::vector<double>(n)};
    std::vector<double> product(n), pair(2 * n);
    for (std::size_t k = 0; k + 1 < n; ++k) {
        WB_TRY(progress.at(k, n));
        result.diagonal[k] = matrix[k * n + k];
        const std::size_t rest = n - k - 1;
        const auto v = std::span(pair).first(rest), w = std::span(pair).subspan(n, rest);
        std::ranges::copy(std::span(matrix).subspan(k * n + k + 1, rest), v.begin());
        const double factor = reflect(v, result.next[k]);
        if (factor == 0) continue;
        double* const corner = matrix.data() + (k + 1) * n + k + 1;
        std::ranges::fill(std::span(product).first(rest), 0);
        const std::size_t blocks = (rest + columnsAtOnce - 1) / columnsAtOnce;
        WB_TRY(jobs::parallelFor(blocks, threads, progress.stop, [&](std::uint64_t block) -> Result<void> {
            const std::size_t first = block * columnsAtOnce, count = std::min(columnsAtOnce, rest - first);
            addProducts(v, corner + first, n, std::span(product).subspan(first, count));
            return {};
        }));
        const double half = factor / 2 * std::inner_product(v.begin(), v.end(), product.begin(), 0.0);
        for (std::size_t i = 0; i < rest; ++i) w[i] = factor * (product[i] - half * v[i]);
        WB_TRY(jobs::parallelFor(
            (rest + rowsAtOnce - 1) / rowsAtOnce, threads, progress.stop, [&](std::uint64_t block) -> Result<void> {
                for (std::size_t i = block * rowsAtOnce; i < std::min<std::size_t>(rest, (block + 1) * rowsAtOnce); ++i) {
                    const std::array factors = {-w[i], -v[i]};
                    addProducts(factors, pair.data(), n, {corner + i * n, rest});
                }
                return {};
            }));
    }
    if (n > 0) result.diagonal[n - 1] = matrix[n * n - 1];
    return result;
}

// QL with implicit shifts, on the values alone.
std::vector<double> diagonalize(Tridiagonal matrix) {
    auto& [d, e] = matrix;
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    constexpr int maxSteps = 60; // for one value; two or three are usual
    for (std::size_t l = 0; l < d.size(); ++l) {
        for (int step = 0; step < maxSteps; ++step) {
            std::size_t m = l;
            while (m + 1 < d.size() && std::fabs(e[m]) > epsilon * (std::fabs(d[m]) + std::fabs(d[m + 1]))) ++m;
            if (m == l) break;
            double g = (d[l + 1] - d[l]) / (2 * e[l]), r = std::hypot(g, 1.0);
            g = d[m] - d[l] + e[l] / (g + std::copysign(r, g));
            double s = 1, c = 1, p = 0;
            std::size_t i = m;
            bool isSplit = false;
            while (i-- > l) {
                const double f = s * e[i], b = c * e[i];
                r = std::hypot(f, g);
                e[i + 1] = r;
                if (r == 0) {
                    d[i + 1] -= p;
                    e[m] = 0;
                    isSplit = true;
                    break;
                }
                s = f / r;
                c = g / r;
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
            }
            if (isSplit) continue;
            d[l] -= p;
            e[l] = g;
            e[m] = 0;
        }
    }
    std::ranges::sort(d, std::greater());
    return std::move(d);
}

} // namespace

Result<std::vector<double>> symmetricEigenvalues(std::vector<double>& matrix, std::size_t n, unsigned threads,
                                                 const Progress& progress) {
    WB_TRY_ASSIGN(Tridiagonal tridiagonal, tridiagonalize(matrix, n, threads, progress));
    return diagonalize(std::move(tridiagonal));
}

std::vector<double> cholesky(std::span<const double> matrix, std::size_t n) {
    constexpr double smallest = 1e-13; // of a column's square, where only rounding is left
    std::vector<double> upper(n * n);
    std::vector<double> row(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::ranges::copy(matrix.subspan(i * n, n), row.begin());
        for (std::size_t k = 0; k < i; ++k) {
            const std::array factor = {-upper[k * n + i]};
            addProducts(factor, upper.data() + k * n + i, n, std::span(row).subspan(i));
        }
        if (!(row[i] > smallest * matrix[i * n + i])) continue;
        const double root = std::sqrt(row[i]);
        for (std::size_t j = i; j < n; ++j) upper[i * n + j] = row[j] / root;
    }
    return upper;
}

} // namespace wb::stats
