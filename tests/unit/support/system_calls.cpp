// SPDX-License-Identifier: MIT
#ifdef __linux__
#include "tests/unit/support/system_calls.h"

#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace wb::test {
namespace {

SystemCalls* current = nullptr;

std::filesystem::path fileFromHandle(int handle) {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(handle), ignored);
}

// Whether the call is to fail, for which it has left the reason.
bool fails(SystemCalls::Before SystemCalls::* call, const std::filesystem::path& file) {
    const int error = current && current->*call ? (current->*call)(file) : 0;
    if (error != 0) errno = error;
    return error != 0;
}

} // namespace

SystemCalls::SystemCalls() { current = this; }
SystemCalls::~SystemCalls() { current = nullptr; }

} // namespace wb::test

// The linker takes these instead of the C library's.
#pragma GCC diagnostic ignored "-Wshadow" // flock is the name of a struct, too
using wb::test::fails;
using wb::test::fileFromHandle;
using wb::test::SystemCalls;

extern "C" int fallocate(int handle, int mode, off_t offset, off_t bytes) {
    if (fails(&SystemCalls::fallocate, fileFromHandle(handle))) return -1;
    return static_cast<int>(syscall(SYS_fallocate, handle, mode, offset, bytes));
}

extern "C" int flock(int handle, int operation) noexcept {
    if (fails(&SystemCalls::flock, fileFromHandle(handle))) return -1;
    return static_cast<int>(syscall(SYS_flock, handle, operation));
}

extern "C" int fsync(int handle) {
    if (fails(&SystemCalls::fsync, fileFromHandle(handle))) return -1;
    return static_cast<int>(syscall(SYS_fsync, handle));
}

extern "C" int fdatasync(int handle) {
    if (fails(&SystemCalls::fsync, fileFromHandle(handle))) return -1;
    return static_cast<int>(syscall(SYS_fdatasync, handle));
}

extern "C" int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept {
    if (fails(&SystemCalls::rename, from)) return -1;
    if (flags == RENAME_NOREPLACE && fails(&SystemCalls::renameBeside, from)) return -1;
    return static_cast<int>(syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags));
}

extern "C" int rename(const char* from, const char* to) noexcept { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

extern "C" int link(const char* from, const char* to) noexcept {
    if (fails(&SystemCalls::link, from)) return -1;
    return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

// Asked for by the C++ library, which finds it only where it is to be seen.
extern "C" [[gnu::visibility("default")]] int statvfs(const char* path, struct statvfs* answer) noexcept {
    using Call = int (*)(const char*, struct statvfs*);
    if (!wb::test::current || !wb::test::current->statvfs) return reinterpret_cast<Call>(dlsym(RTLD_NEXT, "statvfs"))(path, answer);
    *answer = {};
    wb::test::current->statvfs(path, *answer);
    return 0;
}

#endif
