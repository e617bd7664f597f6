// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

#include <map>
#include <string>

namespace wb::merge {

// How much adapters changed a tensor, over all its elements as f32. Those of several tensors add up.
struct Change {
    std::uint64_t elements = 0;
    std::uint64_t changed = 0; // that are not what they were, bit for bit
    double difference2 = 0;    // Σ(after - before)²
    double before2 = 0;        // Σ before²

    double changedRatio() const { return elements == 0 ? 0 : static_cast<double>(changed) / static_cast<double>(elements); }
    std::optional<double> relativeChange() const; // sqrt(Σ(after - before)² / Σ before²); empty where all was zero
    Change& operator+=(const Change& other);
};

// Of every tensor of a model that mergeAdapters() made whose weights an adapter changes or replaces, by name; all others are as
// they were. Reads those tensors, with up to `threads` (0: all).
Result<std::map<std::string, Change>> mergeChanges(const Model& merged, unsigned threads, const Progress& progress);

} // namespace wb::merge
