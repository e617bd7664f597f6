// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/system/posix_file.h"

#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/target.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace wb::io {
namespace {

// Without a descriptor the reason is in errno.
HeldFile openOrMake(const std::filesystem::path& path, int flags) {
    flags |= O_RDWR | O_CLOEXEC | O_NOFOLLOW;
    for (;;) {
        HeldFile file{Descriptor(::open(path.c_str(), flags))};
        if (file.descriptor.get() >= 0 || errno != ENOENT) return file;
        file = {Descriptor(::open(path.c_str(), flags | O_CREAT | O_EXCL, 0666)), true};
        if (file.descriptor.get() >= 0 || errno != EEXIST) return file; // else another run was quicker
    }
}

} // namespace

bool isAt(int handle, const std::filesystem::path& path) {
    struct stat opened{};
    struct stat named{};
    return ::fstat(handle, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

std::unexpected<Error> writeFailure(int error, const std::filesystem::path& path) {
    if (error == ENOSPC || error == EDQUOT || error == EFBIG) return noRoom(baseName(path));
    return cannotWrite(baseName(path), std::strerror(error));
}

void flushFolder(const std::filesystem::path& folder) {
    const Descriptor handle(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    if (handle.get() >= 0) ::fsync(handle.get()); // not every file system lets a folder be opened
}

Result<HeldFile> openHeld(const std::filesystem::path& path, int flags) {
    for (;;) {
        HeldFile file = openOrMake(path, flags);
        if (file.descriptor.get() < 0) return writeFailure(errno, path);
        if (::flock(file.descriptor.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return heldElsewhere(baseName(path));
        if (isAt(file.descriptor.get(), path)) return file;
    }
}

} // namespace wb::io
#endif
