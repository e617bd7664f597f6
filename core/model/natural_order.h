// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

// A text whose bytewise order is the natural order of names: runs of digits compare by value, so blk.2 comes before blk.10.
std::string naturalKey(std::string_view name);

// The place of each tensor when all are sorted by natural name; equal names keep the stored order.
std::vector<std::uint32_t> naturalRanks(const std::vector<TensorInfo>& tensors);

// Whether the order of the tensors in such a file is that of their names and has no meaning: blk.10 before blk.2. Who shows them
// takes the natural order then.
bool isOrderedByName(const Model& model);

} // namespace wb
