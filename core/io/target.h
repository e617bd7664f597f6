// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace wb::io {

// Whether the name is taken, by a link that leads nowhere too.
bool isTaken(const std::filesystem::path& path);

// Refuses a name that a rename must not take: that of a folder, or in a folder that is not there, where it would fail when all work
// is done, and that of a device or a pipe, which it would replace. Names that are free or belong to a regular file, or to a link to
// one, are accepted.
Result<void> checkReplaceable(const std::filesystem::path& target);

} // namespace wb::io
