// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/system/output_file.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/system/win_file.h"

#include <algorithm>

namespace wb::io {

Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
    const HANDLE handle = ::CreateFileW(extendedPath(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_NEW,
                                        FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return cannotWrite(baseName(path), systemMessage(::GetLastError()));
    return OutputFile(reinterpret_cast<std::intptr_t>(handle), path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept : m_handle(std::exchange(other.m_handle, -1)), m_path(std::move(other.m_path)) {
    other.m_path.clear();
}

OutputFile::~OutputFile() {
    if (m_handle != -1) ::CloseHandle(asHandle(m_handle));
    if (!m_path.empty()) ::DeleteFileW(extendedPath(m_path).c_str());
}

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        DWORD done = 0;
        const auto wanted = static_cast<DWORD>(std::min(bytes.size(), largestCall));
        if (!::WriteFile(asHandle(m_handle), bytes.data(), wanted, &done, nullptr))
            return cannotWrite(baseName(m_path), systemMessage(::GetLastError()));
        bytes = bytes.subspan(done);
    }
    return {};
}

Result<void> OutputFile::moveTo(const std::filesystem::path& target) {
    if (!::FlushFileBuffers(asHandle(m_handle))) return cannotWrite(baseName(m_path), systemMessage(::GetLastError()));
    ::CloseHandle(asHandle(std::exchange(m_handle, -1))); // an open file cannot be renamed
    if (const DWORD error = renameFile(m_path, target, MOVEFILE_REPLACE_EXISTING); error != ERROR_SUCCESS)
        return isOpenElsewhere(target) ? openElsewhere(baseName(target)) : cannotWrite(baseName(target), systemMessage(error));
    m_path.clear();
    return {};
}

} // namespace wb::io
#endif
