// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/system/win_file.h"

#include "core/io/failures.h"
#include "core/io/target.h"

#include <system_error>

namespace wb::io {

std::wstring extendedPath(const std::filesystem::path& path) {
    // The system's own form: the library of mingw takes \\server for two separators.
    std::wstring text(::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr), L'\0');
    text.resize(::GetFullPathNameW(path.c_str(), static_cast<DWORD>(text.size()), text.data(), nullptr));
    if (text.empty() || text.starts_with(L"\\\\?\\") || text.starts_with(L"\\\\.\\")) return text;
    if (text.starts_with(L"\\\\")) return L"\\\\?\\UNC" + text.substr(1);
    return L"\\\\?\\" + text;
}

std::string systemMessage(DWORD error) { return std::system_category().message(static_cast<int>(error)); }

std::unexpected<Error> openFailure(DWORD error, const std::string& name) {
    if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME) return notFound(name);
    return cannotRead(name, systemMessage(error));
}

DWORD renameFile(const std::filesystem::path& from, const std::filesystem::path& to, DWORD flags) {
    const std::wstring former = extendedPath(from), target = extendedPath(to);
    return retriedWhileHeld([&] { return ::MoveFileExW(former.c_str(), target.c_str(), flags | MOVEFILE_WRITE_THROUGH) != 0; });
}

bool isOpenElsewhere(const std::filesystem::path& path) {
    const Handle file(
        ::CreateFileW(extendedPath(path).c_str(), DELETE, 0, nullptr, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
    return !file.isOpen() && ::GetLastError() == ERROR_SHARING_VIOLATION;
}

std::unexpected<Error> openElsewhere(const std::string& name) {
    return fail(ErrorCode::NotWritable, Reason("io.open_elsewhere"), About{name},
                WB_TEXT("Cannot replace {}, because it is open in a program; close it there and try again."), name);
}

void flushFolder(const std::filesystem::path&) {}

} // namespace wb::io
#endif
