// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <filesystem>

namespace wb::io {

// Whether the name exists, a dangling link included.
bool isTaken(const std::filesystem::path& path);

// Whether the name refers to that opened file, also through links or another spelling.
bool leadsTo(const std::filesystem::path& path, const Identity& file);

// Refuses a target that the final rename could not or must not replace: a folder, a name in a folder that does not exist, a device
// or a pipe. So the run fails before its work and not after it. Free names, regular files and links to them are accepted.
Result<void> checkReplaceable(const std::filesystem::path& target);

// Flushes the folder itself (empty: the working folder), so that files created, renamed or removed in it survive a power failure,
// as far as the system can. Does nothing on Windows, which needs no such call.
void flushFolder(const std::filesystem::path& folder);

} // namespace wb::io
