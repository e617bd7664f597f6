// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

// Without these the header defines min, max and ERROR as macros.
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef NOGDI
#define NOGDI
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace wb::io {

inline constexpr std::int64_t ticksTo1970 = 116'444'736'000'000'000; // FILETIME counts 100 ns from 1601
inline constexpr std::size_t largestCall = 1u << 30;                 // ReadFile and WriteFile take a 32-bit count

// Two halves of a number, as Windows gives them.
constexpr std::uint64_t joined(DWORD high, DWORD low) { return (std::uint64_t{high} << 32) | low; }

// Headers for all systems keep a handle as a number.
inline HANDLE asHandle(std::intptr_t value) { return reinterpret_cast<HANDLE>(value); }

// Owns a file handle.
class Handle {
public:
    explicit Handle(HANDLE value = INVALID_HANDLE_VALUE) : m_value(value) {}
    Handle(Handle&& other) noexcept : m_value(other.release()) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(m_value, other.m_value);
        return *this;
    }
    ~Handle() { close(); }

    HANDLE get() const { return m_value; }
    bool isOpen() const { return m_value != INVALID_HANDLE_VALUE; }
    HANDLE release() { return std::exchange(m_value, INVALID_HANDLE_VALUE); }
    void close() {
        if (isOpen()) ::CloseHandle(release());
    }

private:
    HANDLE m_value;
};

// The absolute path in the form that lifts the limit of 260 characters: \\?\C:\… or \\?\UNC\server\share\….
std::wstring extendedPath(const std::filesystem::path& path);

// The system's English or local sentence for an error code, without the line break at its end.
std::string systemMessage(DWORD error);

// The sentence for a failed CreateFileW of `name`.
std::unexpected<Error> openFailure(DWORD error, const std::string& name);

// The error code of `call`, which returns whether it succeeded. A virus scanner or an indexer opens every new file for a moment, in
// which it can be neither renamed nor deleted: the call is repeated for up to a second.
template <class Call>
DWORD retriedWhileHeld(const Call& call) {
    constexpr DWORD waitMs = 50;
    for (DWORD waited = 0;; waited += waitMs) {
        if (call()) return ERROR_SUCCESS;
        const DWORD error = ::GetLastError();
        const bool isHeld = error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION || error == ERROR_ACCESS_DENIED;
        if (!isHeld || waited >= 1000) return error;
        ::Sleep(waitMs);
    }
}

// Renames a file that is closed by MoveFileExW with these flags, flushes the change, and returns an error code.
DWORD renameFile(const std::filesystem::path& from, const std::filesystem::path& to, DWORD flags);

// Whether a program has the file open, so that no other file can take its name.
bool isOpenElsewhere(const std::filesystem::path& path);

// The sentence for that.
std::unexpected<Error> openElsewhere(const std::string& name);

} // namespace wb::io
