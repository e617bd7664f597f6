// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <filesystem>

namespace wb::io {

// Whether the name is taken, by a link that leads nowhere too.
bool isTaken(const std::filesystem::path& path);

// Whether the name leads to the file that was opened once, by links or another spelling too.
bool leadsTo(const std::filesystem::path& path, const Identity& file);

// Refuses a name that a rename must not take: that of a folder, or in a folder that is not there, where it would fail when all work
// is done, and that of a device or a pipe, which it would replace. Names that are free or belong to a regular file, or to a link to
// one, are accepted.
Result<void> checkReplaceable(const std::filesystem::path& target);

// Brings the names in the folder (empty: the working folder) to the disk, as far as the system can: those of files that were made,
// renamed or removed there. Windows keeps them by itself.
void flushFolder(const std::filesystem::path& folder);

} // namespace wb::io
