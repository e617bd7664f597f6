// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wb::quant {

// The elements of one block of a tensor in another type, and could become.
struct BlockLevels {
    // Elements that share a scale. Each is one of `levels`, which are scale * level + offset for every level of its type.
    struct Group {
        double scale = 0;           // may be negative: some types keep the sign of the largest element there
        double offset = 0;          // 0 where the type has none
        double squaredError = 0;    // Σe²
        std::vector<double> levels; // ascending, each once
    };

    Dtype type = Dtype::Unknown;
    std::uint64_t row = 0;
    std::uint64_t block = 0;  // in its row, from 0
    std::uint64_t column = 0; // its first element
    std::uint64_t groupElements = 0;
    bool hasOffset = false;
    std::vector<Group> groups; // empty where the type has no blocks

    std::size_t worstGroup() const; // the first with the largest error; 0 if none exists
};

// Quantizes the row that contains the element as measure() does (whose weights these are) and takes the element's block apart.
// Reads one row. Fails with Invalid where there is not such a element and otherwise as measure() does.
Result<BlockLevels> blockLevels(const TensorReader& reader, Dtype type, std::span<const float> weights, std::uint64_t row,
                                std::uint64_t column);

} // namespace wb::quant
