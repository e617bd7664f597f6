// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace wb {

// Moves a file or folder to the trash of this user, as the system's file manager does. NotWritable where its disk has none.
Result<void> moveToTrash(const std::filesystem::path& path);

} // namespace wb
