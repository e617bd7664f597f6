// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/model/model.h"

#include <vector>

namespace wb::cli {

// Writes the one chosen tensor with a line of progress; see npy::writeNpy. Invalid where nothing is chosen.
Result<void> exportNpy(const Context& context, const Model& model, const std::vector<std::size_t>& chosen,
                       const std::filesystem::path& target);

} // namespace wb::cli
