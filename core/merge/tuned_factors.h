// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/tuned_recipe.h"

// The arithmetic of TunedRecipe.
namespace wb::merge {

// A tensor as a matrix: a vector has one column, a convolution's kernel belongs to the columns.
struct MatrixSides {
    std::uint64_t rows = 0, columns = 0;
};
MatrixSides matrixSides(const Shape& shape);

// The side of a skew-symmetric matrix whose upper triangle has this number of elements; 0 if none has.
std::uint64_t rotationSide(std::uint64_t elements);

// Decodes the tensors of a change, whose shapes fit, once. `inputs`: the weight, then the tensors.
Result<FactorStore::Factors> tunedFactors(const ModuleChange& change, std::span<const TensorReader> inputs);

// Changes elements of the weight from the flat index `first` on; of Oft `values` consist of entire blocks.
void applyChange(const ModuleChange& change, const FactorStore::Factors& factors, const MatrixSides& sides, std::uint64_t first,
                 std::span<float> values);

} // namespace wb::merge
