// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace wb::io {

// Bytes that this user may still write in the folder `path`; if `path` is not a folder, in the folder of the file it names, links
// followed. The nearest existing folder answers for one that does not exist yet. Empty where the system does not specify.
std::optional<std::uint64_t> freeSpace(const std::filesystem::path& path);

// Bytes of the disk that a file has by now, which of one with holes are fewer than its size; 0 if none exists.
std::uint64_t takenSpace(const std::filesystem::path& path);

} // namespace wb::io
