// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <span>

namespace wb::training {

// A stored tensor that is a box of a larger one.
struct PlacedChunk {
    std::size_t tensor = 0;             // index into Model::tensors; readable, with the dtype of the whole
    std::vector<std::uint64_t> offsets; // of its first element in the whole, a number for each axis
};

// Where the values of a tensor are that consists of these chunks: pieces where all of them have whole rows, else a BoxRecipe.
// Unavailable, with the reason, where they leave the tensor, overlap or leave holes.
TensorSource assemble(const Model& model, Dtype dtype, const Shape& shape, std::span<const PlacedChunk> chunks);

} // namespace wb::training
