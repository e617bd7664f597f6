// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/byte_source.h"

#include "core/io/failures.h"
#include "core/io/system/win_file.h"

#include <algorithm>

namespace wb::io {
namespace {

Identity fileIdentity(const BY_HANDLE_FILE_INFORMATION& file) {
    const auto ticks = static_cast<std::int64_t>(joined(file.ftLastWriteTime.dwHighDateTime, file.ftLastWriteTime.dwLowDateTime));
    return {file.dwVolumeSerialNumber, joined(file.nFileIndexHigh, file.nFileIndexLow),
            joined(file.nFileSizeHigh, file.nFileSizeLow), (ticks - ticksTo1970) * 100};
}

} // namespace

Result<std::shared_ptr<FileSource>> FileSource::adopt(std::intptr_t handle, std::string name) {
    std::shared_ptr<FileSource> source(new FileSource);
    source->m_handle = handle;
    source->m_name = std::move(name);
    BY_HANDLE_FILE_INFORMATION file{};
    if (::GetFileType(asHandle(handle)) != FILE_TYPE_DISK) return isNoRegularFile(source->m_name);
    if (!::GetFileInformationByHandle(asHandle(handle), &file)) return openFailure(::GetLastError(), source->m_name);
    if (file.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) return isFolder(source->m_name);
    source->m_identity = fileIdentity(file);
    return source;
}

Result<std::shared_ptr<FileSource>> FileSource::open(const std::filesystem::path& path) {
    const std::string name = baseName(path);
    // FILE_FLAG_BACKUP_SEMANTICS lets a folder be opened, so that it can be called one.
    Handle handle(::CreateFileW(extendedPath(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    if (!handle.isOpen()) return openFailure(::GetLastError(), name);
    return adopt(reinterpret_cast<std::intptr_t>(handle.release()), name);
}

FileSource::~FileSource() {
    if (m_handle != -1) ::CloseHandle(asHandle(m_handle));
}

Result<void> FileSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!Extent::make(size(), offset, out.size())) return endsEarly(m_name, size(), offset, out.size());
    while (!out.empty()) {
        OVERLAPPED at{};
        at.Offset = static_cast<DWORD>(offset);
        at.OffsetHigh = static_cast<DWORD>(offset >> 32);
        DWORD got = 0;
        const auto wanted = static_cast<DWORD>(std::min(out.size(), largestCall));
        const bool done = ::ReadFile(asHandle(m_handle), out.data(), wanted, &got, &at);
        const DWORD error = done ? ERROR_SUCCESS : ::GetLastError();
        if (error == ERROR_HANDLE_EOF || (done && got == 0)) return becameShorter(m_name);
        if (!done) return cannotReadAt(m_name, offset, systemMessage(error));
        out = out.subspan(got);
        offset += got;
    }
    return {};
}

Result<void> FileSource::checkUnchanged() const {
    BY_HANDLE_FILE_INFORMATION file{};
    if (::GetFileInformationByHandle(asHandle(m_handle), &file) && fileIdentity(file) == m_identity) return {};
    return changedOnDisk(m_name);
}

} // namespace wb::io
#endif
