// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/system/part_file.h"

#include "core/io/system/posix_file.h"
#include "core/io/target.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wb::io {
namespace {

int setSize(int handle, std::uint64_t bytes) { return ::ftruncate(handle, static_cast<off_t>(bytes)) == 0 ? 0 : errno; }

// Reserved blocks cannot run out half-way. File systems without the call get a sparse file: posix_fallocate() would write into
// every block there, for hours over a network. Never makes the file shorter.
int reserve(int handle, std::uint64_t formerBytes, std::uint64_t bytes) {
#ifdef __linux__
    int error = 0;
    do error = ::fallocate(handle, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
    while (error == EINTR);
    if (error != EOPNOTSUPP && error != ENOSYS && error != EINVAL) return error; // EINVAL: of no bytes, too
#endif
    return formerBytes < bytes ? setSize(handle, bytes) : 0;
}

// The disk may start at once, so that little is left to wait for when all has to be there. Where it cannot, the flush does all; of
// small pieces, which may be very many, too.
void beginWriteBack(int handle, std::uint64_t offset, std::size_t bytes) {
#ifdef __linux__
    constexpr std::size_t worthACall = 1 << 16;
    if (bytes < worthACall) return;
    (void)::sync_file_range(handle, static_cast<off_t>(offset), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE);
#else
    (void)handle, (void)offset, (void)bytes;
#endif
}

int resultFromDone(int done) { return done == 0 ? 0 : errno; }

int removeName(const std::filesystem::path& path) { return resultFromDone(::unlink(path.c_str())); }

int renameOver(const std::filesystem::path& from, const std::filesystem::path& to) {
    return resultFromDone(::rename(from.c_str(), to.c_str()));
}

// For file systems that do not know the flag, as those of networks: a second name is never one that is taken. Where files have one
// name only, all that is left is to ask.
int renameByLink(const std::filesystem::path& from, const std::filesystem::path& to) {
    const int error = resultFromDone(::link(from.c_str(), to.c_str()));
    if (error == 0) return removeName(from);
    if (error != EPERM && error != EOPNOTSUPP && error != ENOSYS && error != EMLINK) return error;
    return isTaken(to) ? EEXIST : renameOver(from, to);
}

// EEXIST where the name is taken.
int renameBeside(const std::filesystem::path& from, const std::filesystem::path& to) {
#ifdef __linux__
    const int error = resultFromDone(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE));
    if (error != EINVAL && error != ENOSYS && error != EOPNOTSUPP && error != EPERM) return error;
#endif
    return renameByLink(from, to);
}

// Removes a regular file that no run holds where `isWanted` reports it for its present state.
void removeUnheld(const std::filesystem::path& path, const auto& isWanted) {
    // For writing, as locks over a network want it; a pipe must not make it wait.
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (file.get() < 0 || (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)) return;
    struct stat left{};
    if (::fstat(file.get(), &left) != 0 || !S_ISREG(left.st_mode)) return;
    if (isWanted(left) && isAt(file.get(), path)) ::unlink(path.c_str());
}

} // namespace

Result<std::unique_ptr<PartFile>> PartFile::open(const std::filesystem::path& path, std::uint64_t bytes) {
    WB_TRY_ASSIGN(HeldFile held, openHeld(path));
    struct stat former{};
    if (::fstat(held.descriptor.get(), &former) != 0) return writeFailure(errno, path);
    std::unique_ptr<PartFile> file(new PartFile);
    file->m_path = path;
    file->m_number = former.st_ino;
    file->m_bytes = bytes;
    file->m_formerBytes = static_cast<std::uint64_t>(former.st_size);
    file->m_isNew = held.isNew;
    file->m_handle = held.descriptor.release();
    if (const int error = reserve(static_cast<int>(file->m_handle), file->m_formerBytes, bytes)) return writeFailure(error, path);
    return file;
}

void PartFile::removeLeft(const std::filesystem::path& path, std::uint64_t number, std::uint64_t bytes) {
    removeUnheld(
        path, [&](const struct stat& left) { return left.st_ino == number && static_cast<std::uint64_t>(left.st_size) == bytes; });
}

void PartFile::removeLeft(const std::filesystem::path& path) {
    removeUnheld(path, [](const struct stat&) { return true; });
}

PartFile::~PartFile() {
    if (m_handle < 0) return;
    if (!m_hasBegun) rollBack();
    ::close(static_cast<int>(m_handle));
}

void PartFile::rollBack() {
    if (m_isNew) ::unlink(m_path.c_str());
    else if (m_formerBytes < m_bytes) (void)setSize(static_cast<int>(m_handle), m_formerBytes);
}

Result<void> PartFile::begin() {
    if (const int error = setSize(static_cast<int>(m_handle), m_bytes)) return writeFailure(error, m_path);
    m_hasBegun = true;
    return {};
}

Result<void> PartFile::writeAt(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = ::pwrite(static_cast<int>(m_handle), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return writeFailure(errno, m_path);
        beginWriteBack(static_cast<int>(m_handle), offset, static_cast<std::size_t>(written));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return {};
}

Result<void> PartFile::flush() {
    if (::fsync(static_cast<int>(m_handle)) != 0) return writeFailure(errno, m_path);
    return {};
}

// A kill between the two steps of renameByLink() leaves both names to one file, between which rename() does nothing.
Result<bool> PartFile::renameTo(const std::filesystem::path& target, bool replace) {
    WB_TRY(flush());
    const bool isDone = isAt(static_cast<int>(m_handle), target);
    const int error = isDone ? removeName(m_path) : replace ? renameOver(m_path, target) : renameBeside(m_path, target);
    if (error == EEXIST && !replace) return false;
    if (error != 0) return writeFailure(error, target);
    flushFolder(target.parent_path());
    return true;
}

} // namespace wb::io
#endif
