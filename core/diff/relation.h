// SPDX-License-Identifier: MIT
#pragma once

#include "core/diff/pairing.h"

namespace wb::diff {

// Adds how a type becomes another one: nothing if they are the same, Dequantized if one has blocks (Unknown: blocks and scales in
// separate tensors), else Cast.
void addType(Dtype a, Dtype b, Mappings& mappings);

// The dimensions that are not 1.
std::vector<std::uint64_t> withoutOnes(const Shape& shape);

// The tensor with its axes in each other order that frameworks use (HWIO, OHWI and OIHW, depthwise HWC1 and C1HW, transposed
// matrices), read in that order. Shapes that one order has in common with the tensor itself are included.
std::vector<TensorInfo> otherLayouts(const TensorInfo& tensor);

// How strictly two tensors have to fit each other.
enum class Fit : std::uint8_t {
    SameName, // other axes, other numbers of rows and other shapes of as many elements are accepted
    Likely,   // the same name in other words: the same without other shapes
    Shape,    // only the same shape, ones aside
    Flat      // as many elements, in the same order, whatever the shapes
};

// A pair of two tensors by their shapes alone, read in one run; empty where the shapes do not fit. `a` and `b` are models 0 and 1
// of the pairing.
std::optional<PlannedPair> relate(const TensorInfo& a, const TensorInfo& b, Fit fit);

// Several tensors against one, whose elements follow each other: stacked or fused along the first axis. Empty where the numbers of
// elements differ.
std::optional<PlannedPair> relateParts(const std::vector<const TensorInfo*>& a, const std::vector<const TensorInfo*>& b);

} // namespace wb::diff
