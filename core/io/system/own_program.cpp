// SPDX-License-Identifier: MIT
#include "core/io/system/own_program.h"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#include <string>

namespace wb::io {

std::filesystem::path ownProgram() {
#ifdef _WIN32
    std::wstring path(32'768, L'\0');
    path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
    return path;
#elif defined(__APPLE__)
    char path[4096];
    std::uint32_t size = sizeof path;
    return ::_NSGetExecutablePath(path, &size) == 0 ? std::filesystem::path(path) : std::filesystem::path();
#else
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored);
#endif
}

std::filesystem::path portableFolder(const std::filesystem::path& program) {
    if (program.empty()) return {};
    std::error_code ignored;
    const std::filesystem::path folder = program.parent_path();
    if (auto data = folder / "weighbridge-data"; std::filesystem::is_directory(data, ignored)) return data;
    if (folder.filename() != "bin") return {};
    auto data = folder.parent_path() / "weighbridge-data";
    return std::filesystem::is_directory(data, ignored) ? data : std::filesystem::path();
}

} // namespace wb::io
