// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/diff.h"

#include <utility>

// Inside the room: matching tensors by their content if their names do not help.
namespace wb::diff {

// Tensors of one model that have no counterpart yet.
struct Unmatched {
    const Model& model; // its files are open
    std::vector<const TensorInfo*> tensors;
};

using Matches = std::vector<std::pair<const TensorInfo*, const TensorInfo*>>;

// Tensors with the same decoded elements in the same order, whatever their shapes. Reads those whose number of elements occurs on
// both sides. A tensor that cannot be read matches none.
Result<Matches> matchByContent(const Unmatched& a, const Unmatched& b, const Options& options);

// Tensors of the same shape, ones aside, whose beginnings correlate best, at least by one half. Groups of very many tensors of one
// shape are left unmatched.
Result<Matches> matchByCorrelation(const Unmatched& a, const Unmatched& b, const Options& options);

} // namespace wb::diff
