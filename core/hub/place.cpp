// SPDX-License-Identifier: MIT
#include "core/hub/place.h"

#include "core/base/text.h"
#include "core/hub/content_hash.h"
#include "core/hub/file_name.h"
#include "core/io/atomic_writer.h"
#include "core/io/byte_source.h"
#include "core/io/failures.h"
#include "core/io/target.h"

#include <algorithm>
#include <charconv>
#include <span>

namespace wb::hub {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t maxSideFile = 4096;

fs::path pathFromText(std::string_view text) { return fs::path(std::u8string(text.begin(), text.end())); }

// "owner/name" as one folder: "models--owner--name", "owner--name".
fs::path joinedName(std::string_view prefix, std::string_view name) {
    std::string text(prefix);
    for (const char c : name) text += c == '/' ? std::string("--") : std::string(1, c);
    return pathFromText(text);
}

fs::path huggingFaceFolder(const DownloadPlace& place, const Repository& repository) {
    return place.root / joinedName("models--", repository.name);
}

fs::path sideFile(const DownloadPlace& place, const RemoteFile& file) {
    return place.root / ".cache" / "huggingface" / "download" / (pathFromText(file.path) += ".metadata");
}

std::string textFromPath(const fs::path& path) {
    const auto source = io::FileSource::open(path);
    if (!source) return {};
    std::string text(static_cast<std::size_t>(std::min((*source)->size(), maxSideFile)), '\0');
    return (*source)->readAt(0, std::as_writable_bytes(std::span(text))) ? text : std::string();
}

// Three lines: commit, content, time of the download.
struct Side {
    std::string content;
    double seconds = 0;
};

std::optional<Side> readSide(const fs::path& path) {
    const std::string text = textFromPath(path);
    const std::size_t first = text.find('\n'), second = first == std::string::npos ? first : text.find('\n', first + 1);
    if (second == std::string::npos) return std::nullopt;
    const std::size_t third = std::min(text.find('\n', second + 1), text.size());
    const auto seconds = parseDouble(text.substr(second + 1, third - second - 1));
    if (!seconds) return std::nullopt;
    return Side{text.substr(first + 1, second - first - 1), *seconds};
}

// The file has not been written to since the side file was made.
bool isUnchanged(const io::Identity& identity, const Side& side) {
    constexpr double nanoseconds = 1e9;
    return static_cast<double>(identity.modifiedNs) / nanoseconds <= side.seconds + 1;
}

Presence presenceInFolder(const DownloadPlace& place, const fs::path& target, const RemoteFile& file) {
    const auto source = io::FileSource::open(target);
    if (!source) return io::isTaken(target) ? Presence::Unknown : Presence::Absent;
    const auto side = readSide(sideFile(place, file));
    if (!side || !isUnchanged((*source)->identity(), *side)) return Presence::Unknown;
    if (side->content != expectedHash(file)) return Presence::Former;
    return (*source)->size() == file.bytes ? Presence::Present : Presence::Unknown;
}

Result<void> writeText(const fs::path& path, std::string_view text) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    WB_TRY_ASSIGN(auto writer, io::AtomicWriter::create(path));
    WB_TRY(writer.write(text));
    return writer.commit();
}

Result<void> publishInFolder(const DownloadPlace& place, const std::string& commit, const RemoteFile& file, std::int64_t unixNow) {
    const fs::path ours = place.root / ".cache" / "huggingface";
    if (!io::isTaken(ours / ".gitignore")) WB_TRY(writeText(ours / ".gitignore", "*"));
    // The file's own time may be a fraction of a second later than the clock's whole one.
    return writeText(sideFile(place, file), fmt::format("{}\n{}\n{}.0\n", commit, expectedHash(file), unixNow + 1));
}

// Where links are not to be had the file itself moves to its name, as the hub's client does there.
Result<void> linkInCache(const fs::path& name, const fs::path& blob) {
    std::error_code error;
    fs::create_directories(name.parent_path(), error);
    const fs::path target = blob.lexically_relative(name.parent_path());
    if (fs::is_symlink(name, error) && fs::read_symlink(name, error) == target) return {};
    if (io::isTaken(name)) fs::remove(name, error);
    fs::create_symlink(target, name, error);
    if (error) fs::rename(blob, name, error);
    if (!error) return {};
    return io::cannotWrite(io::baseName(name), error.message());
}

Result<void> publishInHuggingFaceCache(const DownloadPlace& place, const Repository& repository, const std::string& commit,
                                       const RemoteFile& file) {
    const fs::path folder = huggingFaceFolder(place, repository);
    const fs::path blob = downloadTarget(place, repository, commit, file),
                   name = folder / "snapshots" / pathFromText(commit) / pathFromText(file.path);
    if (blob != name) WB_TRY(linkInCache(name, blob));
    const std::string branch = repository.revisionOrMain();
    if (branch == commit) return {};
    return writeText(folder / "refs" / pathFromText(branch), commit);
}

} // namespace

fs::path downloadFolder(const DownloadPlace& place, const Repository& repository, const std::string& commit) {
    switch (place.kind) {
    case PlaceKind::HuggingFaceCache: return huggingFaceFolder(place, repository) / "snapshots" / pathFromText(commit);
    case PlaceKind::ModelScopeCache:
        return place.root / "models" / joinedName("", repository.name) / "snapshots" / joinedName("", commit);
    case PlaceKind::Folder: break;
    }
    return place.root;
}

fs::path downloadTarget(const DownloadPlace& place, const Repository& repository, const std::string& commit,
                        const RemoteFile& file) {
    const std::string& content = expectedHash(file);
    if (place.kind == PlaceKind::HuggingFaceCache && !content.empty())
        return huggingFaceFolder(place, repository) / "blobs" / content;
    return downloadFolder(place, repository, commit) / pathFromText(file.path);
}

Presence filePresence(const DownloadPlace& place, const Repository& repository, const std::string& commit, const RemoteFile& file) {
    const fs::path target = downloadTarget(place, repository, commit, file);
    if (place.kind == PlaceKind::Folder) return presenceInFolder(place, target, file);
    if (!io::isTaken(target)) return Presence::Absent;
    std::error_code error;
    // The name in this cache is the hash, and the hub's client believes it too.
    const bool isNamedByHash = place.kind == PlaceKind::HuggingFaceCache && !expectedHash(file).empty();
    return isNamedByHash && fs::file_size(target, error) == file.bytes && !error ? Presence::Present : Presence::Unknown;
}

Result<std::vector<fs::path>> makeFolders(const DownloadPlace& place, const fs::path& target) {
    std::vector<fs::path> made;
    std::error_code error;
    for (fs::path folder = place.root; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path())
        made.insert(made.begin(), folder);
    fs::create_directories(place.root, error);
    if (std::error_code ignored; error && !fs::is_directory(place.root, ignored))
        return io::cannotWrite(io::baseName(place.root), error.message());
    fs::path folder = place.root;
    for (const fs::path& part : target.parent_path().lexically_relative(place.root)) {
        if (part == ".") continue;
        folder /= part;
        if (fs::is_symlink(folder, error))
            return fail(ErrorCode::NotWritable, Reason("hub.link_in_target"), About{io::baseName(folder)},
                        WB_TEXT("{} is a link, and downloads are not written through links; choose another folder."),
                        io::baseName(folder));
        if (fs::create_directory(folder, error)) made.push_back(folder);
        if (error) return io::cannotWrite(io::baseName(folder), error.message());
    }
    return made;
}

Result<std::unique_ptr<io::LockedFile>> lockFor(const DownloadPlace& place, const Repository& repository, const RemoteFile& file) {
    if (place.kind != PlaceKind::HuggingFaceCache || expectedHash(file).empty()) return nullptr;
    const fs::path folder = place.root / ".locks" / joinedName("models--", repository.name);
    std::error_code error;
    fs::create_directories(folder, error);
    return io::LockedFile::open(folder / (expectedHash(file) + ".lock"));
}

Result<void> publish(const DownloadPlace& place, const Repository& repository, const std::string& commit, const RemoteFile& file,
                     std::int64_t unixNow) {
    switch (place.kind) {
    case PlaceKind::Folder: return publishInFolder(place, commit, file, unixNow);
    case PlaceKind::HuggingFaceCache: return publishInHuggingFaceCache(place, repository, commit, file);
    case PlaceKind::ModelScopeCache: break;
    }
    return {};
}

} // namespace wb::hub
