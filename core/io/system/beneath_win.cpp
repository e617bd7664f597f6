// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/byte_source.h"

#include "core/io/cache_link.h"
#include "core/io/failures.h"
#include "core/io/system/win_file.h"

namespace wb::io {
namespace {

// Opens a file or folder itself, not what a reparse point (link, junction) leads to. Without FILE_SHARE_DELETE it cannot be renamed
// while it is held.
Handle openItself(const std::filesystem::path& path) {
    return Handle(::CreateFileW(extendedPath(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
}

bool isReparsePoint(const Handle& handle) {
    BY_HANDLE_FILE_INFORMATION file{};
    return !::GetFileInformationByHandle(handle.get(), &file) || (file.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

// Walks component by component and holds every folder on the way, so that none can be exchanged for a link meanwhile.
Result<Handle> openWithoutLinks(std::filesystem::path at, const std::filesystem::path& relative, const std::string& name) {
    std::vector<Handle> held;
    for (const auto& component : relative) {
        at /= component;
        held.push_back(openItself(at));
        if (!held.back().isOpen()) return openFailure(::GetLastError(), name);
        if (isReparsePoint(held.back())) return isForeignLink(name);
    }
    return std::move(held.back());
}

} // namespace

Result<BeneathDirectory> BeneathDirectory::open(const std::filesystem::path& folder) {
    BeneathDirectory directory;
    directory.m_path = folder.empty() ? "." : folder;
    std::error_code ignored;
    if (!std::filesystem::is_directory(directory.m_path, ignored)) return notFound(baseName(directory.m_path));
    return directory;
}

Result<std::shared_ptr<FileSource>> BeneathDirectory::openFile(const std::string& relativeName) const {
    if (!isPlainRelativeName(relativeName)) return leadsOut(relativeName);
    const std::filesystem::path relative(std::u8string(relativeName.begin(), relativeName.end()));
    const auto blob = cachedBlob(m_path, relativeName);
    WB_TRY_ASSIGN(Handle file, blob ? openWithoutLinks(blob->parent_path(), blob->filename(), relativeName)
                                    : openWithoutLinks(m_path, relative, relativeName));
    return FileSource::adopt(reinterpret_cast<std::intptr_t>(file.release()), relativeName.substr(relativeName.rfind('/') + 1));
}

} // namespace wb::io
#endif
