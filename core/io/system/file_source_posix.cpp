// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/byte_source.h"

#include "core/io/failures.h"
#include "core/io/system/posix_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wb::io {
namespace {

Identity statusIdentity(const struct stat& status) {
#ifdef __APPLE__
    const auto& time = status.st_mtimespec;
#else
    const auto& time = status.st_mtim;
#endif
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
            static_cast<std::uint64_t>(status.st_size), std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec};
}

} // namespace

std::unexpected<Error> openFailure(int error, const std::string& name) {
    if (error == ENOENT || error == ENOTDIR) return notFound(name);
    return cannotRead(name, std::strerror(error));
}

Result<std::shared_ptr<FileSource>> FileSource::adopt(std::intptr_t handle, std::string name) {
    std::shared_ptr<FileSource> source(new FileSource);
    source->m_handle = handle;
    source->m_name = std::move(name);
    struct stat status{};
    if (::fstat(static_cast<int>(handle), &status) != 0) return openFailure(errno, source->m_name);
    if (S_ISDIR(status.st_mode)) return isFolder(source->m_name);
    if (!S_ISREG(status.st_mode)) return isNoRegularFile(source->m_name);
    source->m_identity = statusIdentity(status);
    return source;
}

Result<std::shared_ptr<FileSource>> FileSource::open(const std::filesystem::path& path) {
    const std::string name = baseName(path);
    // O_NONBLOCK so that a dropped pipe cannot block before it is refused.
    const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (handle < 0) return openFailure(errno, name);
    return adopt(handle, name);
}

FileSource::~FileSource() {
    if (m_handle >= 0) ::close(static_cast<int>(m_handle));
}

Result<void> FileSource::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (!Extent::make(size(), offset, out.size())) return endsEarly(m_name, size(), offset, out.size());
    while (!out.empty()) {
        const auto got = ::pread(static_cast<int>(m_handle), out.data(), out.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cannotReadAt(m_name, offset, std::strerror(errno));
        if (got == 0) return becameShorter(m_name);
        out = out.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return {};
}

Result<void> FileSource::checkUnchanged() const {
    struct stat status{};
    if (::fstat(static_cast<int>(m_handle), &status) == 0 && statusIdentity(status) == m_identity) return {};
    return changedOnDisk(m_name);
}

} // namespace wb::io
#endif
