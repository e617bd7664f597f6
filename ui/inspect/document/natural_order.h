// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wb::ui::inspect {

// A text whose bytewise order is the natural order of names: runs of digits compare by value, so blk.2 comes before blk.10.
std::string naturalKey(std::string_view name);

// The place of each tensor when all are sorted by natural name; equal names keep the stored order.
std::vector<std::uint32_t> naturalRanks(const std::vector<TensorInfo>& tensors);

} // namespace wb::ui::inspect
