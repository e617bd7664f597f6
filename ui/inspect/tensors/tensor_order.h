// SPDX-License-Identifier: MIT
#pragma once

#include "ui/inspect/tensors/tensor_column.h"

#include <Qt>

#include <vector>

namespace wb::ui::inspect {

// Sorts indices of tensors by a column. Equal cells follow the natural order of names, empty ones come last in both directions.
// `nameRanks` is Document::nameRanks.
void sortTensors(std::vector<std::uint32_t>& tensors, const stats::Contents& contents, const std::vector<std::uint32_t>& nameRanks,
                 Column column, Qt::SortOrder order);

} // namespace wb::ui::inspect
