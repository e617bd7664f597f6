// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/model.h"

#include <vector>

namespace wb::cli {

// Writes the chosen tensors with a line of progress; see formats::exportTensors.
Result<void> exportValues(const Context& context, const Model& model, const std::vector<std::size_t>& chosen,
                          const std::string& target);

} // namespace wb::cli
