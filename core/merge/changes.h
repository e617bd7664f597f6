// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wb::merge {

// How far a merged tensor is from a tensor that it was made of, over all its elements as f32. Those of several tensors add up.
struct Change {
    std::uint64_t elements = 0;
    std::uint64_t changed = 0; // that are not what they were, bit for bit
    double difference2 = 0;    // Σ(after - before)²
    double before2 = 0;        // Σ before²
    double after2 = 0;         // Σ after²
    double product = 0;        // Σ before · after

    double changedRatio() const { return elements == 0 ? 0 : static_cast<double>(changed) / static_cast<double>(elements); }
    std::optional<double> relativeChange() const; // sqrt(Σ(after - before)² / Σ before²); empty where all was zero
    std::optional<double> cosine() const;         // empty where a side is all zero
    Change& operator+=(const Change& other);
};

// The distance from one of the models that were merged.
struct ParentChange {
    std::string model; // its name in sentences
    Change change;
};

// The change of the base's tensor, and for a tensor that was merged of several models the distance from each, the base's first.
struct TensorChange : Change {
    std::vector<ParentChange> parents;

    TensorChange& operator+=(const TensorChange& other);
};

// Of every tensor of a model that mergeAdapters() or mergeModels() made whose weights are changed or replaced, by name; all others
// are as they were. Reads those tensors, with up to `threads` (0: all).
Result<std::map<std::string, TensorChange>> mergeChanges(const Model& merged, unsigned threads, const Progress& progress);

// The sums over all tensors.
TensorChange totalChange(const std::map<std::string, TensorChange>& changes);

} // namespace wb::merge
