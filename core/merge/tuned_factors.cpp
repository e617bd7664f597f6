// SPDX-License-Identifier: MIT
#include "core/merge/tuned_factors.h"

#include <algorithm>
#include <cmath>

namespace wb::merge {
namespace {

using Factors = FactorStore::Factors;
using Values = std::vector<float>;

Result<Values> readAll(const TensorReader& reader) {
    Values values(reader.elements());
    std::vector<std::byte> scratch;
    WB_TRY(reader.readF32(0, values, scratch));
    return values;
}

Values transposed(const Values& values, std::uint64_t rows) {
    const std::uint64_t columns = values.size() / rows;
    Values turned(values.size());
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t column = 0; column < columns; ++column) turned[column * rows + row] = values[row * columns + column];
    return turned;
}

// [rows, rank] times [rank, columns].
Values product(const Values& left, const Values& right, std::uint64_t rank) {
    const std::uint64_t rows = left.size() / rank, columns = right.size() / rank;
    Values out(rows * columns);
    for (std::uint64_t row = 0; row < rows; ++row)
        for (std::uint64_t k = 0; k < rank; ++k)
            for (std::uint64_t column = 0; column < columns; ++column)
                out[row * columns + column] += left[row * rank + k] * right[k * columns + column];
    return out;
}

// B and A as the factors of the matrix that the base stores.
Factors pairFactors(Values a, Values b, std::uint64_t rank, bool isTransposed) {
    if (!isTransposed) return {std::move(b), std::move(a), {}, {}, rank};
    return {transposed(a, rank), transposed(b, b.size() / rank), {}, {}, rank};
}

// Sums of L · R for a range of a matrix.
void addProducts(std::span<const float> left, std::span<const float> right, std::uint64_t rank, std::uint64_t columns,
                 std::uint64_t first, std::span<float> sums) {
    for (std::uint64_t at = first; at < first + sums.size();) {
        const std::uint64_t row = at / columns, column = at % columns;
        const std::uint64_t count = std::min(columns - column, first + sums.size() - at);
        const auto part = sums.subspan(at - first, count);
        for (std::uint64_t k = 0; k < rank; ++k) {
            const float factor = left[row * rank + k];
            const auto values = right.subspan(k * columns + column, count);
            for (std::uint64_t i = 0; i < count; ++i) part[i] += factor * values[i];
        }
        at += count;
    }
}

// m / |V| of each output. V is read once.
Result<Values> doraFactors(const ModuleChange& change, const TensorReader& weight, const Factors& factors,
                           const Values& magnitude) {
    const MatrixSides sides = matrixSides(weight.shape());
    std::vector<double> squares(magnitude.size());
    std::vector<std::byte> scratch;
    const std::uint64_t step = std::max<std::uint64_t>((1 << 18) / sides.columns, 1) * sides.columns;
    for (std::uint64_t first = 0; first < weight.elements(); first += step) {
        Values values(std::min(step, weight.elements() - first)), sums(values.size());
        WB_TRY(weight.readF32(first, values, scratch));
        addProducts(factors.left, factors.right, factors.rank, sides.columns, first, sums);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = values[i] + static_cast<float>(change.scale) * sums[i];
            const std::uint64_t at = first + i;
            squares[change.isTransposed ? at % sides.columns : at / sides.columns] += value * value;
        }
    }
    Values scales(magnitude.size());
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] = magnitude[i] / static_cast<float>(std::sqrt(squares[i]));
    return scales;
}

// Each expert's factors one after another: [experts, rows, rank] and [experts, rank, columns].
Factors expertFactors(const ModuleChange& change, const Values& a, const Values& b, const Shape& weight, std::uint64_t rows) {
    const std::uint64_t experts = weight[0], rank = rows / experts, in = a.size() / rows, out = b.size() / rows;
    Factors all{{}, {}, {}, {}, rank};
    for (std::uint64_t expert = 0; expert < experts; ++expert) {
        Values own(a.begin() + static_cast<std::ptrdiff_t>(expert * rank * in),
                   a.begin() + static_cast<std::ptrdiff_t>((expert + 1) * rank * in));
        Values outer(out * rank);
        for (std::uint64_t o = 0; o < out; ++o)
            for (std::uint64_t k = 0; k < rank; ++k) outer[o * rank + k] = b[o * rows + k * experts + expert];
        const Factors each = pairFactors(std::move(own), std::move(outer), rank, change.isTransposed);
        all.left.insert(all.left.end(), each.left.begin(), each.left.end());
        all.right.insert(all.right.end(), each.right.begin(), each.right.end());
    }
    return all;
}

// The exact Cayley transform of a skew-symmetric Q: R with R (I + Q) = I - Q, so that the transpose of R solves
// (I - Q) Rᵀ = I + Q. Gaussian elimination with pivots in f64; I - Q is never singular (huggingface/peft: tuners/oft/layer.py).
Values cayleyTransform(const Values& q, std::uint64_t side) {
    std::vector<double> left(side * side), right(side * side);
    for (std::uint64_t row = 0; row < side; ++row)
        for (std::uint64_t column = 0; column < side; ++column) {
            const double unit = row == column ? 1 : 0, value = q[row * side + column];
            left[row * side + column] = unit - value;
            right[row * side + column] = unit + value;
        }
    for (std::uint64_t pivot = 0; pivot < side; ++pivot) {
        std::uint64_t best = pivot;
        for (std::uint64_t row = pivot + 1; row < side; ++row)
            if (std::abs(left[row * side + pivot]) > std::abs(left[best * side + pivot])) best = row;
        for (std::uint64_t column = 0; best != pivot && column < side; ++column) {
            std::swap(left[best * side + column], left[pivot * side + column]);
            std::swap(right[best * side + column], right[pivot * side + column]);
        }
        for (std::uint64_t row = 0; row < side; ++row) {
            if (row == pivot) continue;
            const double factor = left[row * side + pivot] / left[pivot * side + pivot];
            for (std::uint64_t column = pivot; column < side; ++column)
                left[row * side + column] -= factor * left[pivot * side + column];
            for (std::uint64_t column = 0; column < side; ++column)
                right[row * side + column] -= factor * right[pivot * side + column];
        }
    }
    Values rotation(side * side);
    for (std::uint64_t row = 0; row < side; ++row)
        for (std::uint64_t column = 0; column < side; ++column)
            rotation[column * side + row] = static_cast<float>(right[row * side + column] / left[row * side + row]);
    return rotation;
}

// I + 2 (Q + … + Qⁿ⁻²) + Qⁿ⁻¹ of n terms.
Values neumannSeries(const Values& q, std::uint64_t side, std::uint64_t terms) {
    Values rotation(side * side);
    for (std::uint64_t row = 0; row < side; ++row) rotation[row * side + row] = 1;
    Values power = q;
    for (std::uint64_t term = 1; term < terms; ++term) {
        const float factor = term + 1 < terms || terms == 2 ? 2 : 1;
        for (std::size_t i = 0; i < power.size(); ++i) rotation[i] += factor * power[i];
        if (term + 1 < terms) power = product(power, q, side);
    }
    return rotation;
}

// The blocks of R.
Values rotations(const Values& triangles, std::uint64_t side, std::uint64_t terms) {
    const std::uint64_t each = side * (side - 1) / 2;
    Values all;
    for (std::uint64_t block = 0; block < triangles.size() / each; ++block) {
        Values q(side * side);
        for (std::uint64_t row = 0, at = block * each; row < side; ++row)
            for (std::uint64_t column = row + 1; column < side; ++column, ++at) {
                q[row * side + column] = triangles[at];
                q[column * side + row] = -triangles[at];
            }
        const Values rotation = terms == 0 ? cayleyTransform(q, side) : neumannSeries(q, side, terms);
        all.insert(all.end(), rotation.begin(), rotation.end());
    }
    return all;
}

// One factor of a Kronecker product; takes its tensors off `inputs`.
Result<Values> kroneckerFactor(std::span<const TensorReader>& inputs, bool isProduct, std::uint64_t& columns) {
    WB_TRY_ASSIGN(Values values, readAll(inputs[0]));
    columns = inputs[isProduct ? 1 : 0].shape()[1];
    if (isProduct) {
        WB_TRY_ASSIGN(const Values right, readAll(inputs[1]));
        values = product(values, right, inputs[1].shape()[0]);
    }
    inputs = inputs.subspan(isProduct ? 2 : 1);
    return values;
}

void applyKronecker(const ModuleChange& change, const Factors& factors, const MatrixSides& sides, std::uint64_t first,
                    std::span<float> values) {
    const auto scale = static_cast<float>(change.scale);
    const std::uint64_t innerColumns = factors.rank, innerRows = factors.right.size() / innerColumns;
    const std::uint64_t outerColumns = sides.columns / innerColumns;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t row = (first + i) / sides.columns, column = (first + i) % sides.columns;
        const float outer = factors.left[row / innerRows * outerColumns + column / innerColumns];
        values[i] += scale * (outer * factors.right[row % innerRows * innerColumns + column % innerColumns]);
    }
}

void applyRotation(const Factors& factors, const MatrixSides& sides, std::uint64_t first, std::span<float> values) {
    const std::uint64_t side = factors.rank;
    Values turned(side);
    for (std::size_t at = 0; at < values.size(); at += side) {
        const float* const rotation = &factors.left[(first + at) % sides.columns / side * side * side];
        for (std::uint64_t i = 0; i < side; ++i) {
            turned[i] = 0;
            for (std::uint64_t j = 0; j < side; ++j) turned[i] += values[at + j] * rotation[i * side + j];
        }
        std::ranges::copy(turned, values.begin() + static_cast<std::ptrdiff_t>(at));
    }
}

void applyExperts(const ModuleChange& change, const Factors& factors, const MatrixSides& sides, std::uint64_t first,
                  std::span<float> values) {
    // Of a stack `rows` are the experts and `columns` the elements of each.
    const std::uint64_t experts = sides.rows, left = factors.left.size() / experts, right = factors.right.size() / experts;
    const std::uint64_t columns = right / factors.rank;
    for (std::size_t done = 0; done < values.size();) {
        const std::uint64_t expert = (first + done) / sides.columns, at = (first + done) % sides.columns;
        const std::size_t count = std::min<std::uint64_t>(sides.columns - at, values.size() - done);
        Values sums(count);
        addProducts(std::span(factors.left).subspan(expert * left, left), std::span(factors.right).subspan(expert * right, right),
                    factors.rank, columns, at, sums);
        for (std::size_t i = 0; i < count; ++i) values[done + i] += static_cast<float>(change.scale) * sums[i];
        done += count;
    }
}

} // namespace

MatrixSides matrixSides(const Shape& shape) {
    if (shape.rank() == 0 || shape[0] == 0) return {};
    return {shape[0], shape.elements() / shape[0]};
}

std::uint64_t rotationSide(std::uint64_t elements) {
    const auto side = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(elements))) / 2);
    return elements > 0 && elements < (1ull << 40) && side * (side - 1) / 2 == elements ? side : 0;
}

Result<Factors> tunedFactors(const ModuleChange& change, std::span<const TensorReader> inputs) {
    const TensorReader& weight = inputs[0];
    inputs = inputs.subspan(1);
    if (change.kind == ChangeKind::LoKr) {
        Factors factors;
        std::uint64_t columns = 0;
        WB_TRY_ASSIGN(factors.left, kroneckerFactor(inputs, change.hasProducts[0], columns));
        WB_TRY_ASSIGN(factors.right, kroneckerFactor(inputs, change.hasProducts[1], columns));
        factors.rank = columns;
        return factors;
    }
    std::vector<Values> all;
    for (const TensorReader& input : inputs) {
        WB_TRY_ASSIGN(Values values, readAll(input));
        all.push_back(std::move(values));
    }
    const MatrixSides sides = matrixSides(weight.shape());
    switch (change.kind) {
    case ChangeKind::Product: return pairFactors(all[0], all[1], inputs[0].shape()[0], change.isTransposed);
    case ChangeKind::Dora: {
        Factors factors = pairFactors(all[0], all[1], inputs[0].shape()[0], change.isTransposed);
        WB_TRY_ASSIGN(factors.otherLeft, doraFactors(change, weight, factors, all[2]));
        return factors;
    }
    case ChangeKind::AdaLora: {
        const std::uint64_t rank = inputs[0].shape()[0], columns = all[0].size() / rank;
        for (std::size_t i = 0; i < all[0].size(); ++i) all[0][i] *= all[2][i / columns];
        return pairFactors(all[0], all[1], rank, change.isTransposed);
    }
    case ChangeKind::Vera: {
        const std::uint64_t rank = inputs[2].shape()[0], all_in = inputs[2].shape()[1];
        const std::uint64_t in = change.isTransposed ? sides.rows : sides.columns, out = all[0].size();
        Values a(rank * in), b(out * rank);
        for (std::uint64_t k = 0; k < rank; ++k)
            for (std::uint64_t i = 0; i < in; ++i) a[k * in + i] = all[1][k] * all[2][k * all_in + i];
        for (std::uint64_t o = 0; o < out; ++o)
            for (std::uint64_t k = 0; k < rank; ++k) b[o * rank + k] = all[0][o] * all[3][o * rank + k];
        return pairFactors(std::move(a), std::move(b), rank, change.isTransposed);
    }
    case ChangeKind::Experts: return expertFactors(change, all[0], all[1], weight.shape(), inputs[0].shape()[0]);
    case ChangeKind::LoHa: {
        Factors factors{std::move(all[0]), std::move(all[1]), std::move(all[2]), std::move(all[3]), inputs[0].shape()[1]};
        factors.otherRank = inputs[2].shape()[1];
        return factors;
    }
    case ChangeKind::Oft: {
        const std::uint64_t side = rotationSide(inputs[0].shape()[1]);
        return Factors{rotations(all[0], side, change.terms), {}, {}, {}, side};
    }
    default: return Factors{std::move(all[0]), {}, {}, {}, 0};
    }
}

void applyChange(const ModuleChange& change, const Factors& factors, const MatrixSides& sides, std::uint64_t first,
                 std::span<float> values) {
    const auto scale = static_cast<float>(change.scale);
    if (change.kind == ChangeKind::Experts) return applyExperts(change, factors, sides, first, values);
    if (change.kind == ChangeKind::LoKr) return applyKronecker(change, factors, sides, first, values);
    if (change.kind == ChangeKind::Oft) return applyRotation(factors, sides, first, values);
    if (change.kind == ChangeKind::Ia3) {
        const bool byColumn = change.ofInputs != change.isTransposed;
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] *= factors.left[byColumn ? (first + i) % sides.columns : (first + i) / sides.columns];
        return;
    }
    Values sums(values.size());
    addProducts(factors.left, factors.right, factors.rank, sides.columns, first, sums);
    if (change.kind == ChangeKind::LoHa) {
        Values others(values.size());
        addProducts(factors.otherLeft, factors.otherRight, factors.otherRank, sides.columns, first, others);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] *= others[i];
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += scale * sums[i];
    if (change.kind != ChangeKind::Dora) return;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= factors.otherLeft[change.isTransposed ? (first + i) % sides.columns : (first + i) / sides.columns];
}

} // namespace wb::merge
