// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/pairing.h"

namespace wb::diff {

// Numbers of heads that rows may be permuted by: those of the layer's queries and keys.
struct HeadCounts {
    std::uint64_t queries = 0, keys = 0;
};

// Finds the transform of a pair of two tensors that no rule describes: rows permuted for rotary embeddings, plus one, -exp(x). The
// GGUF side is `ggufIndex` (0 or 1), the other one has the values before the transform. Compares the beginnings of both tensors,
// and changes the pair where a transform explains them and equality does not. Canceled; what cannot be read stays as it is.
Result<void> detectTransform(PlannedPair& planned, std::size_t ggufIndex, const HeadCounts& heads, const std::vector<Model>& models,
                             const Progress& progress);

// The relative error of the beginning of a run; empty where it cannot be read or is undefined.
std::optional<double> sampleError(const Run& run, const std::vector<Model>& models);

} // namespace wb::diff
