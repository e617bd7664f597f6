// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/io/download_record.h"
#include "core/io/digests/hex.h"
#include "core/io/small_file.h"
#include "core/library/group.h"
#include "core/library/store_readers.h"
#include "core/library/walk.h"

#include <algorithm>

namespace wb::library {
namespace {

using Path = std::filesystem::path;

StoredFile storedFile(WalkedFile&& walked) {
    StoredFile file;
    std::error_code error;
    if (walked.isLink) file.behind = std::filesystem::canonical(walked.path, error);
    file.name = std::move(walked.name);
    file.path = std::move(walked.path);
    file.identity = walked.stat.identity;
    file.accessed = walked.stat.accessed;
    return file;
}

// Adds what huggingface_hub recorded about a file of a folder that it filled.
void readMetadata(const Path& folder, const std::string& name, StoredFile& file, std::string& commit) {
    const auto record = io::readDownloadRecord(folder, name, file.identity.modifiedNs);
    if (!record) return;
    file.isHashRecorded = io::isHex(record->etag, 64);
    if (file.isHashRecorded) file.sha256 = record->etag;
    if (io::isHex(record->etag, 40)) file.gitSha1 = record->etag;
    if (!record->commit.empty()) commit = record->commit;
}

bool hasMetadata(const Path& folder) {
    const auto stat = io::statLink(folder / io::downloadRecords);
    return stat && stat->type == io::FileStat::Type::Folder;
}

// Walks from the entry's folder up to the store's, to the one that was filled by huggingface_hub or by us.
Path filledFolder(const Path& folder, const Path& root, const std::set<Path>& withCache) {
    for (Path at = folder;; at = at.parent_path()) {
        if (withCache.contains(at) && hasMetadata(at)) return at;
        if (at == root || !at.has_relative_path()) return {};
    }
}

// Our own folder is divided into owner/name, and what was recorded there tells the hub: commits are Hugging Face's.
std::optional<Origin> storeOrigin(const Store& store, const Path& folder, const std::string& commit) {
    if (store.kind != StoreKind::Weighbridge || commit.empty()) return std::nullopt;
    const Path relative = folder.lexically_relative(store.path);
    if (std::distance(relative.begin(), relative.end()) < 2) return std::nullopt;
    const Path id = *relative.begin() / *std::next(relative.begin());
    return Origin{io::isHex(commit, 40) ? "hf" : "ms", io::pathText(id), commit};
}

void addRecords(const Store& store, const std::set<Path>& withCache, Entry& entry) {
    const Path filled = filledFolder(entry.repository, store.path, withCache);
    if (filled.empty()) return;
    std::string commit;
    for (StoredFile& file : entry.files) readMetadata(filled, io::pathText(file.path.lexically_relative(filled)), file, commit);
    entry.origin = storeOrigin(store, filled, commit);
}

// The value of a top-level key of a YAML file of plain "key: value" lines; empty: none.
std::string yamlText(const std::string& yaml, std::string_view key) {
    for (std::size_t at = 0; at < yaml.size();
         at = yaml.find('\n', at) == std::string::npos ? yaml.size() : yaml.find('\n', at) + 1) {
        std::string_view line = std::string_view(yaml).substr(at, yaml.find('\n', at) - at);
        if (!line.starts_with(key) || !line.substr(key.size()).starts_with(": ")) continue;
        line.remove_prefix(key.size() + 2);
        const std::size_t end = line.find_last_not_of(" \r\"'"), begin = line.find_first_not_of(" \"'");
        return end == std::string_view::npos ? std::string() : std::string(line.substr(begin, end + 1 - begin));
    }
    return {};
}

// Jan calls every file model.gguf. The name is in the model.yml next to it, else the folder has it (janhq/jan:
// extensions/llamacpp-extension/src/index.ts).
void useNamesOfJan(const Store& store, std::vector<Entry>& entries) {
    for (Entry& entry : entries) {
        if (entry.name != "model") continue;
        const auto yaml = io::readSmallFile(entry.repository / "model.yml", 64u << 10);
        const std::string name = yaml ? yamlText(*yaml, "name") : std::string();
        const Path relative = entry.repository.lexically_relative(store.path);
        if (isUtf8(name) && !name.empty()) entry.name = name;
        else if (!relative.empty() && relative != ".") entry.name = io::pathText(relative);
    }
}

} // namespace

Result<Found> readFolder(const Store& store, unsigned threads, const Progress& progress) {
    WB_TRY_ASSIGN(Walked walked, walk(store.path, store.path, {.threads = threads}, progress));
    FileTree tree;
    tree.folder = store.path;
    tree.idPrefix = std::string(kindName(store.kind)) + ':';
    if (store.kind == StoreKind::Folder) {
        tree.idPrefix += io::pathText(store.path);
        tree.separator = '/';
    }
    tree.files.reserve(walked.files.size());
    for (WalkedFile& file : walked.files) tree.files.push_back(storedFile(std::move(file)));
    Found found{groupFiles(std::move(tree)), std::move(walked.problems)};
    if (store.kind == StoreKind::Jan) useNamesOfJan(store, found.entries);
    if (walked.withCache.empty()) return found;
    for (Entry& entry : found.entries) addRecords(store, walked.withCache, entry);
    return found;
}

} // namespace wb::library
