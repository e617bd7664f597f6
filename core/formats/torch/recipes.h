// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/recipe.h"
#include "core/worker/model_wire.h"

#include <string>
#include <vector>

namespace wb::torch {

// The dense value of a sparse tensor. `layout` is sparse_coo (inputs: indices of shape [sparse dimensions, entries] and values;
// entries of the same place add up), sparse_csr or sparse_csc (inputs: where each row or column starts, the other index of each
// entry, values), sparse_bsr or sparse_bsc (the same of blocks: values of shape [entries, block rows, block columns]).
std::shared_ptr<const Recipe> makeSparse(const std::string& layout, Shape shape,
                                         std::vector<std::string> inputs); // null for another layout

// Whether makeSparse() can put such a tensor together: batches of compressed matrices and matrices of vectors are not supported.
bool isSparseReadable(const std::string& layout, Dtype dtype, const Shape& shape);

// The tensor whose stored values are to be conjugated, negated or both: lazy operations that torch.save keeps as a bit.
std::shared_ptr<const Recipe> makeChanged(std::string input, bool isConjugate, bool isNegative);

// How these leave the worker.
worker::RecipeWire recipeWire();

} // namespace wb::torch
