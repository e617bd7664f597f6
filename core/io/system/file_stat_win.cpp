// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/system/file_stat.h"

#include "core/io/system/win_file.h"

namespace wb::io {
namespace {

std::int64_t timeTicks(const FILETIME& time) {
    return static_cast<std::int64_t>(joined(time.dwHighDateTime, time.dwLowDateTime)) - ticksTo1970;
}

FileStat::Type attributesType(DWORD attributes) {
    if (attributes & FILE_ATTRIBUTE_REPARSE_POINT) return FileStat::Type::Link;
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? FileStat::Type::Folder : FileStat::Type::File;
}

std::optional<FileStat> read(const std::filesystem::path& path, DWORD flags) {
    const Handle handle(::CreateFileW(extendedPath(path).c_str(), FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
    BY_HANDLE_FILE_INFORMATION file{};
    if (!handle.isOpen() || !::GetFileInformationByHandle(handle.get(), &file)) return std::nullopt;
    return FileStat{attributesType(file.dwFileAttributes),
                    {file.dwVolumeSerialNumber, joined(file.nFileIndexHigh, file.nFileIndexLow),
                     joined(file.nFileSizeHigh, file.nFileSizeLow), timeTicks(file.ftLastWriteTime) * 100},
                    timeTicks(file.ftLastAccessTime) / 10'000'000};
}

} // namespace

std::optional<FileStat> statFile(const std::filesystem::path& path) { return read(path, 0); }

std::optional<FileStat> statLink(const std::filesystem::path& path) { return read(path, FILE_FLAG_OPEN_REPARSE_POINT); }

} // namespace wb::io
#endif
