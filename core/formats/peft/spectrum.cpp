// SPDX-License-Identifier: MIT
#include "core/formats/peft/delta_recipe.h"
#include "core/formats/peft/peft.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wb::peft {
namespace {

// A square matrix, row-major.
struct Square {
    explicit Square(std::size_t sideLength) : side(sideLength), values(sideLength * sideLength) {}

    double& at(std::size_t row, std::size_t column) { return values[row * side + column]; }
    double at(std::size_t row, std::size_t column) const { return values[row * side + column]; }

    std::size_t side;
    std::vector<double> values;
};

// Adds to `gram` the products of `rows` vectors of r numbers each.
void accumulate(Square& gram, std::span<const float> vectors) {
    for (std::size_t first = 0; first < vectors.size(); first += gram.side)
        for (std::size_t i = 0; i < gram.side; ++i) {
            const double factor = static_cast<double>(vectors[first + i]);
            for (std::size_t j = 0; j <= i; ++j) gram.at(i, j) += factor * static_cast<double>(vectors[first + j]);
        }
}

// MᵀM of a matrix [count, r], or of the transpose of [r, count]; read in slabs.
Result<Square> readerGram(const TensorReader& reader, std::size_t rank, bool isWide, const Progress& progress) {
    Square gram(rank);
    const std::uint64_t count = reader.elements() / rank, slab = std::max<std::uint64_t>(1, 65'536 / rank);
    std::vector<std::byte> scratch;
    std::vector<float> values, line;
    for (std::uint64_t first = 0; first < count; first += slab) {
        WB_TRY(progress.at(first, count));
        const std::uint64_t taken = std::min(slab, count - first);
        values.resize(taken * rank);
        if (!isWide) {
            WB_TRY(reader.readF32(first * rank, values, scratch));
        } else {
            line.resize(taken);
            for (std::size_t k = 0; k < rank; ++k) {
                WB_TRY(reader.readF32(k * count + first, line, scratch));
                for (std::uint64_t i = 0; i < taken; ++i) values[i * rank + k] = line[i];
            }
        }
        accumulate(gram, values);
    }
    for (std::size_t i = 0; i < rank; ++i)
        for (std::size_t j = i + 1; j < rank; ++j) gram.at(i, j) = gram.at(j, i);
    return gram;
}

// Cyclic Jacobi rotations on a symmetric matrix, which ends as the diagonal of its eigenvalues; `vectors` collects the rotations
// (Golub, Van Loan: Matrix Computations, 8.5).
void diagonalize(Square& matrix, Square& vectors) {
    const std::size_t n = matrix.side;
    for (std::size_t i = 0; i < n; ++i) vectors.at(i, i) = 1;
    const double whole = std::sqrt(std::inner_product(matrix.values.begin(), matrix.values.end(), matrix.values.begin(), 0.0));
    for (int sweep = 0; sweep < 30; ++sweep) {
        double off = 0;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) off += matrix.at(p, q) * matrix.at(p, q);
        if (!(std::sqrt(off) > 1e-16 * whole)) return;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                const double apq = matrix.at(p, q);
                if (apq == 0) continue;
                const double theta = (matrix.at(q, q) - matrix.at(p, p)) / (2 * apq);
                const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (std::size_t k = 0; k < n; ++k) {
                    const double akp = matrix.at(k, p), akq = matrix.at(k, q);
                    matrix.at(k, p) = c * akp - s * akq;
                    matrix.at(k, q) = s * akp + c * akq;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    const double apk = matrix.at(p, k), aqk = matrix.at(q, k);
                    matrix.at(p, k) = c * apk - s * aqk;
                    matrix.at(q, k) = s * apk + c * aqk;
                    const double vkp = vectors.at(k, p), vkq = vectors.at(k, q);
                    vectors.at(k, p) = c * vkp - s * vkq;
                    vectors.at(k, q) = s * vkp + c * vkq;
                }
            }
    }
}

// The singular values of L · R are the roots of the eigenvalues of H · LᵀL · H, where H is the root of RRᵀ. In the basis in which
// RRᵀ is diagonal H is as well.
std::vector<double> singularValues(const Square& left, Square right) {
    const std::size_t n = left.side;
    Square basis(n), ignored(n), turned(n), product(n);
    diagonalize(right, basis);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) turned.at(i, j) += left.at(i, k) * basis.at(k, j);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) product.at(i, j) += basis.at(k, i) * turned.at(k, j);
    const auto root = [&](std::size_t i) { return std::sqrt(std::max(right.at(i, i), 0.0)); };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) product.at(i, j) *= root(i) * root(j);
    diagonalize(product, ignored);
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) values.push_back(std::sqrt(std::max(product.at(i, i), 0.0)));
    std::ranges::sort(values, std::greater());
    return values;
}

const TensorInfo* stored(const Model& model, const std::string& name) {
    const auto found = std::ranges::find(model.tensors, name, &TensorInfo::name);
    return found == model.tensors.end() ? nullptr : &*found;
}

} // namespace

Result<std::optional<Spectrum>> adapterSpectrum(const Model& model, const TensorInfo& tensor, const Progress& progress) {
    const auto* recipe = dynamic_cast<const DeltaRecipe*>(tensor.source.recipe().get());
    if (!recipe || !tensor.isReadable()) return std::nullopt;
    const TensorInfo *left = stored(model, recipe->inputs()[0]), *right = stored(model, recipe->inputs()[1]);
    if (!left || !right) return std::nullopt;
    WB_TRY_ASSIGN(const TensorReader leftReader, TensorReader::open(model, *left));
    WB_TRY_ASSIGN(const TensorReader rightReader, TensorReader::open(model, *right));
    // As stored: L is [rows, r] and R [r, columns], of an embedding each the other way round.
    WB_TRY_ASSIGN(const Square leftGram, readerGram(leftReader, recipe->rank(), recipe->areTransposed(), progress));
    WB_TRY_ASSIGN(const Square rightGram, readerGram(rightReader, recipe->rank(), !recipe->areTransposed(), progress));
    Spectrum spectrum;
    double square = 0; // tr(LᵀL · RRᵀ)
    for (std::size_t i = 0; i < leftGram.values.size(); ++i) square += leftGram.values[i] * rightGram.values[i];
    const double scale = std::fabs(recipe->scale());
    spectrum.norm = scale * std::sqrt(std::max(square, 0.0));
    spectrum.singularValues = singularValues(leftGram, rightGram);
    for (double& value : spectrum.singularValues) value *= scale;
    return std::optional(std::move(spectrum));
}

} // namespace wb::peft
