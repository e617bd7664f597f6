// SPDX-License-Identifier: MIT
#include "core/io/disk_space.h"

namespace wb::io {

std::optional<std::uint64_t> freeSpace(const std::filesystem::path& path) {
    std::error_code error, ignored;
    std::filesystem::path at = std::filesystem::absolute(path, error);
    while (!error && !std::filesystem::is_directory(at, ignored) && at.has_relative_path()) at = at.parent_path();
    const auto space = std::filesystem::space(at, error);
    // A disk without any room at all is what file systems answer that were never taught the question.
    if (error || space.capacity == 0) return std::nullopt;
    return space.available;
}

} // namespace wb::io
