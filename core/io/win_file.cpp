// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/win_file.h"

#include "core/io/failures.h"
#include "core/io/target.h"

#include <system_error>

namespace wb::io {

std::wstring extendedPath(const std::filesystem::path& path) {
    std::error_code ignored;
    std::wstring text = std::filesystem::absolute(path, ignored).lexically_normal().make_preferred().wstring();
    if (text.starts_with(L"\\\\?\\")) return text;
    if (text.starts_with(L"\\\\")) return L"\\\\?\\UNC" + text.substr(1);
    return L"\\\\?\\" + text;
}

std::string systemMessage(DWORD error) { return std::system_category().message(static_cast<int>(error)); }

std::unexpected<Error> openFailure(DWORD error, const std::string& name) {
    if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME) return notFound(name);
    return cannotRead(name, systemMessage(error));
}

void flushFolder(const std::filesystem::path&) {}

} // namespace wb::io
#endif
