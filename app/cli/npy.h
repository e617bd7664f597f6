// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/model.h"

#include <vector>

namespace wb::cli {

// Writes the one chosen tensor as NumPy format 1.0, little-endian f32, C order, shape as listed (numpy/numpy:
// numpy/lib/format.py). The target appears only when it is complete; a file of the model itself is never overwritten. Errors:
// nothing chosen, complex or unreadable values, no space, cancelled.
Result<void> exportNpy(const Context& context, const Model& model, const std::vector<std::size_t>& chosen,
                       const std::string& target);

} // namespace wb::cli
