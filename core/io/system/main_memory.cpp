// SPDX-License-Identifier: MIT
#include "core/io/system/main_memory.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <unistd.h>
#endif

#include <fstream>
#include <string>

namespace wb::io {

#ifdef _WIN32
MainMemory mainMemory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (!GlobalMemoryStatusEx(&status)) return {};
    return {status.ullTotalPhys, status.ullAvailPhys};
}
#else
namespace {

// "MemAvailable:   12345 kB" of Linux; no other system has the file.
std::optional<std::uint64_t> available() {
    std::ifstream file("/proc/meminfo");
    for (std::string word; file >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    }
    return std::nullopt;
}

} // namespace

MainMemory mainMemory() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || size <= 0) return {};
    return {static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size), available()};
}
#endif

} // namespace wb::io
