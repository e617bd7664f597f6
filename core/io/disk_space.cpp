// SPDX-License-Identifier: MIT
#include "core/io/disk_space.h"

#ifndef _WIN32
#include <sys/stat.h>
#endif

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

std::uint64_t takenSpace(const std::filesystem::path& path) {
#ifdef _WIN32
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(path, error);
    return error ? 0 : bytes;
#else
    constexpr std::uint64_t blockBytes = 512; // of st_blocks, whatever the file system's own are (POSIX sys/stat.h)
    struct stat found{};
    if (::lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return 0;
    return static_cast<std::uint64_t>(found.st_blocks) * blockBytes;
#endif
}

} // namespace wb::io
