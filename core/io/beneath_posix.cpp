// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include "core/io/byte_source.h"

#include "core/io/posix_file.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace wb::io {
namespace {

class Descriptor {
public:
    explicit Descriptor(int value) : m_value(value) {}
    Descriptor(Descriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(m_value, other.m_value);
        return *this;
    }
    ~Descriptor() {
        if (m_value >= 0) ::close(m_value);
    }
    int get() const { return m_value; }
    int release() { return std::exchange(m_value, -1); }

private:
    int m_value;
};

constexpr int fileFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW;
constexpr int folderFlags = O_RDONLY | O_CLOEXEC | O_DIRECTORY;

// Walks component by component and follows no link, so that no name can leave the folder even while it is being changed.
Result<Descriptor> openWithoutLinks(const std::filesystem::path& folder, const std::string& name) {
    Descriptor at(::open(folder.c_str(), folderFlags));
    std::string_view rest = name;
    for (std::size_t slash; at.get() >= 0 && (slash = rest.find('/')) != std::string_view::npos; rest.remove_prefix(slash + 1))
        at = Descriptor(::openat(at.get(), std::string(rest.substr(0, slash)).c_str(), folderFlags | O_NOFOLLOW));
    if (at.get() >= 0) at = Descriptor(::openat(at.get(), std::string(rest).c_str(), fileFlags));
    if (at.get() < 0) return openFailure(errno, name);
    return at;
}

bool isBlobName(const std::string& text) {
    const bool hex = std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    return hex && text.size() >= 40 && text.size() <= 64;
}

// The one link that is followed: <repo>/snapshots/<revision>/<name> → (../)*../../blobs/<hash>. Empty where it is not that.
std::optional<std::filesystem::path> cachedBlob(const std::filesystem::path& folder, const std::string& name) {
    std::error_code error;
    const auto link = folder / name;
    const auto target = std::filesystem::read_symlink(link, error);
    if (error || !isBlobName(pathText(target.filename()))) return std::nullopt;
    std::filesystem::path root = std::filesystem::absolute(folder, error).lexically_normal();
    if (!root.has_filename()) root = root.parent_path();
    std::filesystem::path ups;
    for (auto at = (root / name).parent_path(); at != at.root_path(); at = at.parent_path()) {
        ups /= "..";
        if (at.parent_path().filename() != "snapshots") continue;
        const auto blobs = at.parent_path().parent_path() / "blobs";
        if (target != ups / ".." / "blobs" / target.filename()) return std::nullopt;
        return blobs / target.filename();
    }
    return std::nullopt;
}

} // namespace

Result<BeneathDirectory> BeneathDirectory::open(const std::filesystem::path& folder) {
    BeneathDirectory directory;
    directory.m_path = folder.empty() ? "." : folder;
    const Descriptor handle(::open(directory.m_path.c_str(), folderFlags));
    if (handle.get() < 0) return openFailure(errno, pathText(folder));
    return directory;
}

Result<std::shared_ptr<FileSource>> BeneathDirectory::openFile(const std::string& relativeName) const {
    if (!isPlainRelativeName(relativeName))
        return fail(ErrorCode::Malformed, WB_TEXT("The name \"{}\" found in the model leads out of its folder; it is not followed."),
                    relativeName);
    const std::string baseName = relativeName.substr(relativeName.rfind('/') + 1);
    if (const auto blob = cachedBlob(m_path, relativeName)) {
        const int handle = ::open(blob->c_str(), fileFlags);
        if (handle < 0) return openFailure(errno, relativeName);
        return FileSource::adopt(handle, baseName);
    }
    WB_TRY_ASSIGN(Descriptor file, openWithoutLinks(m_path, relativeName));
    return FileSource::adopt(file.release(), baseName);
}

} // namespace wb::io
#endif
