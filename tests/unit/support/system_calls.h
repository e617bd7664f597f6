// SPDX-License-Identifier: MIT
#pragma once

#ifdef __linux__

#include <filesystem>
#include <functional>
#include <sys/statvfs.h>

namespace wb::test {

// Stands between core and the kernel for the life of the object, one at a time: for what no disk here does, and for what another
// program does between two calls. A function that is set is asked before the call, with the file it is about; it gives the errno to
// fail with, or 0 to let the call be made.
class SystemCalls {
public:
    using Before = std::function<int(const std::filesystem::path& file)>;

    SystemCalls();
    ~SystemCalls();
    SystemCalls(const SystemCalls&) = delete;
    SystemCalls& operator=(const SystemCalls&) = delete;

    std::function<void(const std::filesystem::path& path, struct statvfs& answer)> statvfs; // instead of the call
    Before fallocate;
    Before flock;
    Before fsync;        // and fdatasync
    Before rename;       // renameat2 as well; asked with the former name
    Before renameBeside; // renameat2 with RENAME_NOREPLACE
    Before link;
};

} // namespace wb::test

#endif
