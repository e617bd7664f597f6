// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <span>
#include <vector>

namespace wb::quant {

// Possible values of a block's elements if its scale is the usual one: gathers the scales and offsets of quantized rows.
// Adding the parts of several threads gives the same in any order.
class TypicalLevels {
public:
    explicit TypicalLevels(Dtype dtype) : m_dtype(dtype) {}

    void add(std::span<const std::byte> blocks);
    void add(const TypicalLevels& other);

    // The type's levels times the median magnitude of the scales (those that are not 0 or not finite omitted) plus the median
    // offset, ascending. Empty for plain types and where every scale is 0.
    std::vector<double> levels() const;

private:
    Dtype m_dtype;
    std::vector<float> m_scales; // magnitudes
    std::vector<float> m_offsets;
};

} // namespace wb::quant
