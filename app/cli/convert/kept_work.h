// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"

#include <filesystem>
#include <vector>

namespace wb::cli {

// The saved progress of a canceled run to `out`, and how to continue with it; nothing where none of `workFiles` is a journal that
// is there.
void sayKeptWork(const Context& context, const std::vector<std::filesystem::path>& workFiles, const std::string& out);

} // namespace wb::cli
