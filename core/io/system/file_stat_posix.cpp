// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/system/file_stat.h"

#include <sys/stat.h>

namespace wb::io {
namespace {

FileStat::Type modeType(mode_t mode) {
    if (S_ISREG(mode)) return FileStat::Type::File;
    if (S_ISDIR(mode)) return FileStat::Type::Folder;
    return S_ISLNK(mode) ? FileStat::Type::Link : FileStat::Type::Other;
}

FileStat made(const struct stat& status) {
#ifdef __APPLE__
    const auto& modified = status.st_mtimespec;
    const auto& accessed = status.st_atimespec;
#else
    const auto& modified = status.st_mtim;
    const auto& accessed = status.st_atim;
#endif
    return {modeType(status.st_mode),
            {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
             static_cast<std::uint64_t>(status.st_size), std::int64_t{modified.tv_sec} * 1'000'000'000 + modified.tv_nsec},
            std::int64_t{accessed.tv_sec}};
}

} // namespace

std::optional<FileStat> statFile(const std::filesystem::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return made(status);
}

std::optional<FileStat> statLink(const std::filesystem::path& path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
    return made(status);
}

} // namespace wb::io
#endif
