// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/system/output_file.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/target.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace wb::io {
Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
    const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (handle < 0) return cannotWrite(baseName(path), std::strerror(errno));
    return OutputFile(handle, path);
}

OutputFile::OutputFile(OutputFile&& other) noexcept : m_handle(std::exchange(other.m_handle, -1)), m_path(std::move(other.m_path)) {
    other.m_path.clear();
}

OutputFile::~OutputFile() {
    if (m_handle >= 0) ::close(static_cast<int>(m_handle));
    if (!m_path.empty()) ::unlink(m_path.c_str());
}

Result<void> OutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto done = ::write(static_cast<int>(m_handle), bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return cannotWrite(baseName(m_path), std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return {};
}

Result<void> OutputFile::moveTo(const std::filesystem::path& target) {
    if (::fsync(static_cast<int>(m_handle)) != 0) return cannotWrite(baseName(m_path), std::strerror(errno));
    if (::rename(m_path.c_str(), target.c_str()) != 0) return cannotWrite(baseName(target), std::strerror(errno));
    m_path.clear();
    flushFolder(target.parent_path());
    return {};
}

} // namespace wb::io
#endif
