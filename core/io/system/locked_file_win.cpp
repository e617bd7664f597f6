// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/system/locked_file.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/system/win_file.h"

#include <algorithm>
#include <limits>

namespace wb::io {
namespace {

std::unexpected<Error> lastWriteFailure(const std::filesystem::path& path) {
    const DWORD error = ::GetLastError();
    if (error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL) return noRoom(baseName(path));
    return cannotWrite(baseName(path), systemMessage(error));
}

bool seek(HANDLE file, std::uint64_t offset, DWORD from) {
    LARGE_INTEGER distance;
    distance.QuadPart = static_cast<LONGLONG>(offset);
    return ::SetFilePointerEx(file, distance, nullptr, from) != 0;
}

} // namespace

// A file that is opened without sharing is a lock by itself.
Result<std::unique_ptr<LockedFile>> LockedFile::open(const std::filesystem::path& path) {
    const HANDLE handle = ::CreateFileW(extendedPath(path).c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, 0, nullptr, OPEN_ALWAYS,
                                        FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE && ::GetLastError() == ERROR_SHARING_VIOLATION) return heldElsewhere(baseName(path));
    if (handle == INVALID_HANDLE_VALUE) return lastWriteFailure(path);
    std::unique_ptr<LockedFile> locked(new LockedFile(path));
    locked->m_handle = reinterpret_cast<std::intptr_t>(handle);
    return locked;
}

LockedFile::~LockedFile() { ::CloseHandle(asHandle(m_handle)); }

Result<std::string> LockedFile::read(std::uint64_t maxBytes) const {
    LARGE_INTEGER size;
    if (!::GetFileSizeEx(asHandle(m_handle), &size)) return cannotRead(baseName(m_path), systemMessage(::GetLastError()));
    const auto bytes = std::min(static_cast<std::uint64_t>(size.QuadPart), maxBytes);
    std::string text(std::min<std::uint64_t>(bytes, std::numeric_limits<DWORD>::max()), '\0');
    DWORD got = 0;
    if (!seek(asHandle(m_handle), 0, FILE_BEGIN) ||
        !::ReadFile(asHandle(m_handle), text.data(), static_cast<DWORD>(text.size()), &got, nullptr))
        return cannotRead(baseName(m_path), systemMessage(::GetLastError()));
    text.resize(got);
    return text;
}

Result<void> LockedFile::truncate(std::uint64_t bytes) {
    if (!seek(asHandle(m_handle), bytes, FILE_BEGIN) || !::SetEndOfFile(asHandle(m_handle))) return lastWriteFailure(m_path);
    return {};
}

Result<void> LockedFile::append(std::string_view text) {
    if (!seek(asHandle(m_handle), 0, FILE_END)) return lastWriteFailure(m_path);
    DWORD done = 0;
    if (!::WriteFile(asHandle(m_handle), text.data(), static_cast<DWORD>(text.size()), &done, nullptr))
        return lastWriteFailure(m_path);
    return {};
}

Result<void> LockedFile::flush() {
    if (!::FlushFileBuffers(asHandle(m_handle))) return lastWriteFailure(m_path);
    return {};
}

void LockedFile::remove() {
    FILE_DISPOSITION_INFO info;
    info.DeleteFile = TRUE;
    ::SetFileInformationByHandle(asHandle(m_handle), FileDispositionInfo, &info, sizeof info);
}

} // namespace wb::io
#endif
