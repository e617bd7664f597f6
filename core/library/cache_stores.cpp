// SPDX-License-Identifier: MIT
#include "core/library/cache_stores.h"

#include "core/base/text.h"
#include "core/io/digests/hex.h"
#include "core/io/small_file.h"
#include "core/library/group.h"
#include "core/library/store_readers.h"
#include "core/library/walk.h"

#include <algorithm>
#include <map>

namespace wb::library {
namespace {

using Path = std::filesystem::path;

Path named(const Path& folder, const std::string& name) { return folder / Path(std::u8string(name.begin(), name.end())); }

// The branches and tags of a repository by the commit they point to.
Result<std::map<std::string, std::vector<std::string>>> readRefs(const Path& repository, const Progress& progress) {
    std::map<std::string, std::vector<std::string>> refs;
    WB_TRY_ASSIGN(const Walked walked, walk(repository / "refs", repository, {.depth = 4, .entries = 10'000}, progress));
    for (const WalkedFile& file : walked.files)
        if (auto commit = io::readSmallFile(file.path, 64); commit && io::isHex(*commit, 40)) refs[*commit].push_back(file.name);
    return refs;
}

// A file of a snapshot, with the hash that its blob is named by.
StoredFile snapshotFile(const WalkedFile& walked) {
    StoredFile file;
    file.name = walked.name;
    file.path = walked.path;
    file.identity = walked.stat.identity;
    file.accessed = walked.stat.accessed;
    if (!walked.isLink) return file;
    std::error_code error;
    file.behind = std::filesystem::canonical(walked.path, error);
    const std::string blob = io::pathText(std::filesystem::read_symlink(walked.path, error).filename());
    file.isHashRecorded = io::isHex(blob, 64);
    if (file.isHashRecorded) file.sha256 = blob;
    if (io::isHex(blob, 40)) file.gitSha1 = blob;
    return file;
}

struct Repository {
    Path store;
    Path folder;
    std::string hub; // "hf", "ms"
    std::string id;  // "owner/name"
};

// One revision of a repository; `suffix` tells it from the others in ids: "@1a2b3c4d".
Result<void> addRevision(const Repository& repository, const Path& files, const std::string& commit, const std::string& suffix,
                         const Progress& progress, Found& found) {
    WB_TRY_ASSIGN(Walked walked, walk(files, repository.store, {}, progress));
    FileTree tree;
    tree.folder = files;
    tree.idPrefix = repository.hub + ':' + repository.id + suffix;
    tree.separator = ':';
    tree.name = repository.id + suffix;
    tree.origin = Origin{repository.hub, repository.id, commit};
    tree.sharesCompanions = true;
    for (const WalkedFile& file : walked.files) tree.files.push_back(snapshotFile(file));
    for (Entry& entry : groupFiles(std::move(tree))) {
        entry.repository = repository.folder;
        found.entries.push_back(std::move(entry));
    }
    found.problems.insert(found.problems.end(), walked.problems.begin(), walked.problems.end());
    return {};
}

Result<void> addSnapshots(const Repository& repository, const Progress& progress, Found& found) {
    WB_TRY_ASSIGN(const auto refs, readRefs(repository.folder, progress));
    const std::vector<std::string> commits = foldersIn(repository.folder / "snapshots");
    for (const std::string& commit : commits) {
        const auto branches = refs.find(commit);
        const bool isMain = branches != refs.end() && std::ranges::find(branches->second, "main") != branches->second.end();
        const std::string suffix = isMain || commits.size() == 1 ? std::string() : '@' + commit.substr(0, 8);
        WB_TRY(addRevision(repository, named(repository.folder / "snapshots", commit), commit, suffix, progress, found));
    }
    return {};
}

// "Revision:master,CreatedAt:1700000000" of the older ModelScope cache.
std::string oldRevision(const Path& folder) {
    const std::string text = io::readSmallFile(folder / ".mv", 4096).value_or("");
    const std::size_t begin = text.find("Revision:");
    if (begin == std::string::npos) return {};
    return text.substr(begin + 9, text.find_first_of(",\r\n", begin) - begin - 9);
}

std::string withDots(std::string name) {
    for (std::size_t at = name.find("___"); at != std::string::npos; at = name.find("___", at + 1)) name.replace(at, 3, ".");
    return name;
}

// owner/name folders of the older ModelScope cache.
Result<void> addOldModels(const Store& store, const Path& folder, const Progress& progress, Found& found) {
    for (const std::string& owner : foldersIn(folder)) {
        if (owner.front() == '.' || owner == "models" || owner.find("--") != std::string::npos) continue;
        for (const std::string& name : foldersIn(named(folder, owner))) {
            if (name.front() == '.') continue;
            const Path files = named(named(folder, owner), name);
            const Repository repository{store.path, files, "ms", owner + '/' + withDots(name)};
            WB_TRY(addRevision(repository, files, oldRevision(files), {}, progress, found));
        }
    }
    return {};
}

} // namespace

std::optional<std::string> repositoryOfFolder(std::string_view folder) {
    if (!folder.starts_with("models--")) return std::nullopt;
    std::string id(folder.substr(8));
    const std::size_t between = id.find("--");
    if (between == 0 || id.empty()) return std::nullopt;
    if (between != std::string::npos) id.replace(between, 2, "/");
    if (!io::isPlainRelativeName(id)) return std::nullopt;
    return id;
}

Result<Found> readHuggingFaceCache(const Store& store, const Progress& progress) {
    Found found;
    for (const std::string& folder : foldersIn(store.path)) {
        const auto id = repositoryOfFolder(folder);
        if (!id) continue;
        WB_TRY(progress.at(0, 0));
        WB_TRY(addSnapshots({store.path, named(store.path, folder), "hf", *id}, progress, found));
    }
    return found;
}

Result<Found> readModelScopeCache(const Store& store, const Progress& progress) {
    Found found;
    for (const std::string& folder : foldersIn(store.path / "models")) {
        const auto id = repositoryOfFolder("models--" + folder);
        if (!id || id->find('/') == std::string::npos) continue;
        WB_TRY(addSnapshots({store.path, named(store.path / "models", folder), "ms", *id}, progress, found));
    }
    for (const char* old : {"models", "hub/models", "hub"}) WB_TRY(addOldModels(store, store.path / old, progress, found));
    return found;
}

} // namespace wb::library
