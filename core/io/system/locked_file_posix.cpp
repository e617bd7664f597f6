// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/system/locked_file.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/system/posix_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wb::io {
namespace {

int valueHandle(std::intptr_t value) { return static_cast<int>(value); }

} // namespace

Result<std::unique_ptr<LockedFile>> LockedFile::open(const std::filesystem::path& path) {
    WB_TRY_ASSIGN(HeldFile held, openHeld(path, O_APPEND));
    std::unique_ptr<LockedFile> file(new LockedFile(path));
    file->m_handle = held.descriptor.release();
    return file;
}

LockedFile::~LockedFile() { ::close(valueHandle(m_handle)); }

Result<std::string> LockedFile::read(std::uint64_t maxBytes) const {
    struct stat status{};
    if (::fstat(valueHandle(m_handle), &status) != 0) return cannotRead(baseName(m_path), std::strerror(errno));
    std::string text(std::min(static_cast<std::uint64_t>(status.st_size), maxBytes), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const auto got = ::pread(valueHandle(m_handle), text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cannotRead(baseName(m_path), std::strerror(errno));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    return text;
}

Result<void> LockedFile::truncate(std::uint64_t bytes) {
    if (::ftruncate(valueHandle(m_handle), static_cast<off_t>(bytes)) != 0)
        return cannotWrite(baseName(m_path), std::strerror(errno));
    return {};
}

Result<void> LockedFile::append(std::string_view text) {
    while (!text.empty()) {
        const auto done = ::write(valueHandle(m_handle), text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return writeFailure(errno, m_path);
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
}

Result<void> LockedFile::flush() {
#ifdef __APPLE__
    const int done = ::fsync(valueHandle(m_handle)); // fdatasync() is not declared there
#else
    const int done = ::fdatasync(valueHandle(m_handle));
#endif
    if (done != 0) return writeFailure(errno, m_path);
    return {};
}

void LockedFile::remove() { ::unlink(m_path.c_str()); }

} // namespace wb::io
#endif
