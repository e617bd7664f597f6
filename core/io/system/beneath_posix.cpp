// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/byte_source.h"

#include "core/io/cache_link.h"
#include "core/io/failures.h"
#include "core/io/system/posix_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace wb::io {
namespace {

constexpr int fileFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
constexpr int folderFlags = O_RDONLY | O_CLOEXEC | O_DIRECTORY;

// Opens one component; a link fails with ELOOP, which the system says for files but not for folders.
Descriptor openComponent(const Descriptor& folder, const std::string& component, int flags) {
    Descriptor opened(::openat(folder.get(), component.c_str(), flags | O_NOFOLLOW));
    struct stat status{};
    if (opened.get() < 0 && errno == ENOTDIR) {
        const bool isLink =
            ::fstatat(folder.get(), component.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
        errno = isLink ? ELOOP : ENOTDIR;
    }
    return opened;
}

// Walks component by component and follows no link, so that no name can leave the folder even while it is being changed.
Result<Descriptor> openWithoutLinks(const std::filesystem::path& folder, const std::string& name) {
    Descriptor at(::open(folder.c_str(), folderFlags));
    std::string_view rest = name;
    for (std::size_t slash; at.get() >= 0 && (slash = rest.find('/')) != std::string_view::npos; rest.remove_prefix(slash + 1))
        at = openComponent(at, std::string(rest.substr(0, slash)), folderFlags);
    if (at.get() >= 0) at = openComponent(at, std::string(rest), fileFlags);
    if (at.get() >= 0) return at;
    if (errno == ELOOP) return isForeignLink(name);
    return openFailure(errno, name);
}

} // namespace

Result<BeneathDirectory> BeneathDirectory::open(const std::filesystem::path& folder) {
    BeneathDirectory directory;
    directory.m_path = folder.empty() ? "." : folder;
    const Descriptor handle(::open(directory.m_path.c_str(), folderFlags));
    if (handle.get() < 0) return openFailure(errno, baseName(directory.m_path));
    return directory;
}

Result<std::shared_ptr<FileSource>> BeneathDirectory::openFile(const std::string& relativeName) const {
    if (!isPlainRelativeName(relativeName)) return leadsOut(relativeName);
    const std::string base = relativeName.substr(relativeName.rfind('/') + 1);
    if (const auto blob = cachedBlob(m_path, relativeName)) {
        const int handle = ::open(blob->c_str(), fileFlags);
        if (handle < 0) return openFailure(errno, relativeName);
        return FileSource::adopt(handle, base);
    }
    WB_TRY_ASSIGN(Descriptor file, openWithoutLinks(m_path, relativeName));
    return FileSource::adopt(file.release(), base);
}

} // namespace wb::io
#endif
