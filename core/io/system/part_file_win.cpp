// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/system/part_file.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/system/win_file.h"

#include <algorithm>

namespace wb::io {
namespace {

std::unexpected<Error> writeFailure(DWORD error, const std::filesystem::path& path) {
    if (error == ERROR_DISK_FULL || error == ERROR_HANDLE_DISK_FULL || error == ERROR_FILE_TOO_LARGE) return noRoom(baseName(path));
    return cannotWrite(baseName(path), systemMessage(error));
}

// Setting the length reserves the disk space at once, so that it cannot run out half-way.
bool setSize(HANDLE file, std::uint64_t bytes) {
    LARGE_INTEGER end;
    end.QuadPart = static_cast<LONGLONG>(bytes);
    return ::SetFilePointerEx(file, end, nullptr, FILE_BEGIN) && ::SetEndOfFile(file);
}

// Opened without sharing, so that no run contains it meanwhile.
void removeUnheld(const std::filesystem::path& path, const auto& isWanted) {
    const Handle file(::CreateFileW(extendedPath(path).c_str(), GENERIC_READ | DELETE, 0, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
    BY_HANDLE_FILE_INFORMATION left{};
    if (!file.isOpen() || !::GetFileInformationByHandle(file.get(), &left) || !isWanted(left)) return;
    FILE_DISPOSITION_INFO info;
    info.DeleteFile = TRUE;
    ::SetFileInformationByHandle(file.get(), FileDispositionInfo, &info, sizeof info);
}

} // namespace

Result<std::unique_ptr<PartFile>> PartFile::open(const std::filesystem::path& path, std::uint64_t bytes) {
    const HANDLE handle = ::CreateFileW(extendedPath(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, nullptr,
                                        OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE && ::GetLastError() == ERROR_SHARING_VIOLATION) return heldElsewhere(baseName(path));
    if (handle == INVALID_HANDLE_VALUE) return writeFailure(::GetLastError(), path);
    const bool isNew = ::GetLastError() != ERROR_ALREADY_EXISTS; // what OPEN_ALWAYS reports for an existing file
    std::unique_ptr<PartFile> file(new PartFile);
    file->m_isNew = isNew;
    file->m_path = path;
    file->m_bytes = bytes;
    file->m_handle = reinterpret_cast<std::intptr_t>(handle);
    BY_HANDLE_FILE_INFORMATION former{};
    const bool isKnown = ::GetFileInformationByHandle(handle, &former) != 0;
    file->m_formerBytes = isKnown ? joined(former.nFileSizeHigh, former.nFileSizeLow) : bytes; // unchanged if unknown
    file->m_number = joined(former.nFileIndexHigh, former.nFileIndexLow);
    if (isKnown && (file->m_formerBytes >= bytes || setSize(handle, bytes))) return file;
    return writeFailure(::GetLastError(), path);
}

void PartFile::removeLeft(const std::filesystem::path& path, std::uint64_t number, std::uint64_t bytes) {
    removeUnheld(path, [&](const BY_HANDLE_FILE_INFORMATION& left) {
        return joined(left.nFileIndexHigh, left.nFileIndexLow) == number && joined(left.nFileSizeHigh, left.nFileSizeLow) == bytes;
    });
}

void PartFile::removeLeft(const std::filesystem::path& path) {
    removeUnheld(path, [](const BY_HANDLE_FILE_INFORMATION&) { return true; });
}

PartFile::~PartFile() {
    if (m_handle == -1) return;
    const bool goes = !m_hasBegun && m_isNew;
    if (!m_hasBegun) rollBack();
    ::CloseHandle(asHandle(m_handle));
    if (goes) ::DeleteFileW(extendedPath(m_path).c_str()); // an open one cannot be deleted
}

void PartFile::rollBack() {
    if (!m_isNew && m_formerBytes < m_bytes) (void)setSize(asHandle(m_handle), m_formerBytes);
}

Result<void> PartFile::begin() {
    if (!setSize(asHandle(m_handle), m_bytes)) return writeFailure(::GetLastError(), m_path);
    m_hasBegun = true;
    return {};
}

// The place travels with the call, so that several threads may write at once.
Result<void> PartFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        OVERLAPPED at{};
        at.Offset = static_cast<DWORD>(offset);
        at.OffsetHigh = static_cast<DWORD>(offset >> 32);
        DWORD done = 0;
        if (!::WriteFile(asHandle(m_handle), bytes.data(), static_cast<DWORD>(std::min(bytes.size(), largestCall)), &done, &at))
            return writeFailure(::GetLastError(), m_path);
        bytes = bytes.subspan(done);
        offset += done;
    }
    return {};
}

Result<void> PartFile::flush() {
    if (!::FlushFileBuffers(asHandle(m_handle))) return writeFailure(::GetLastError(), m_path);
    return {};
}

Result<bool> PartFile::renameTo(const std::filesystem::path& target, bool replace) {
    WB_TRY(flush());
    ::CloseHandle(asHandle(std::exchange(m_handle, -1))); // an open file cannot be renamed
    const DWORD error = renameFile(m_path, target, replace ? MOVEFILE_REPLACE_EXISTING : 0);
    if (error == ERROR_SUCCESS) return true;
    if (!replace && (error == ERROR_ALREADY_EXISTS || error == ERROR_FILE_EXISTS)) return false;
    return isOpenElsewhere(target) ? openElsewhere(baseName(target)) : writeFailure(error, target);
}

} // namespace wb::io
#endif
