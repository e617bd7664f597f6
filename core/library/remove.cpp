// SPDX-License-Identifier: MIT
#include "core/library/remove.h"

#include "core/base/checked.h"
#include "core/library/store_readers.h"
#include "core/library/walk.h"

#include <algorithm>
#include <limits>
#include <map>
#include <ranges>
#include <set>

namespace wb::library {
namespace {

using Path = std::filesystem::path;

Error stays(const Path& path, const char* sentence) {
    const std::string name = io::pathText(path.filename());
    return makeError(ErrorCode::Invalid, Reason("library.still_needed"), About{name}, sentence, name);
}

bool startsWith(const Path& path, const Path& folder) { return std::ranges::mismatch(folder, path).in1 == folder.end(); }

// One repository of a cache with snapshots: what leads to its blobs. Who removes a file must know everything.
struct Cache {
    std::map<Path, std::set<Path>> links; // links of all snapshots by the file they lead to
    std::vector<Path> plain;              // files of the snapshots that are no links
    std::vector<std::string> commits;
};

Result<Cache> readCache(const Path& repository, const Path& store) {
    WB_TRY_ASSIGN(const Walked walked, walk(repository / "snapshots", store, {}, {}));
    for (const Problem& problem : walked.problems)
        if (problem.code == Reason("library.not_listed") || problem.code == Reason("library.entry_count"))
            return std::unexpected(asError(ErrorCode::NotReadable, problem));
    Cache cache;
    cache.commits = foldersIn(repository / "snapshots");
    for (const WalkedFile& file : walked.files) {
        std::error_code error;
        if (file.isLink) cache.links[std::filesystem::canonical(file.path, error)].insert(file.path);
        else cache.plain.push_back(file.path);
    }
    return cache;
}

class Planner {
public:
    Planner(const Listing& listing, std::vector<const Entry*> chosen) : m_listing(listing), m_chosen(std::move(chosen)) {
        for (const Entry& entry : listing.entries)
            if (!isChosen(entry))
                for (const StoredFile& file : entry.files) m_used.insert(file.path);
    }

    Result<RemovalPlan> plan() {
        std::map<Path, std::vector<const Entry*>> repositories;
        for (const Entry* entry : m_chosen) repositories[entry->repository].push_back(entry);
        WB_TRY(addManifests());
        for (const auto& [repository, entries] : repositories) {
            if (isCache(*entries.front())) WB_TRY(takeFromCache(repository, entries));
            else
                for (const Entry* entry : entries) takeFiles(*entry);
        }
        takeFolders();
        return std::move(m_plan);
    }

private:
    const Store& entryStore(const Entry& entry) const { return m_listing.stores[entry.store].store; }

    bool isChosen(const Entry& entry) const { return std::ranges::find(m_chosen, &entry) != m_chosen.end(); }

    bool isCache(const Entry& entry) const {
        const StoreKind kind = entryStore(entry).kind;
        return kind == StoreKind::HuggingFace || kind == StoreKind::ModelScope;
    }

    // What Ollama's other manifests name, those too whose models are not listed.
    Result<void> addManifests() {
        std::set<Path> stores, manifests;
        for (const Entry* entry : m_chosen) {
            if (entryStore(*entry).kind != StoreKind::Ollama) continue;
            stores.insert(entryStore(*entry).path);
            manifests.insert(entry->files.back().path);
        }
        for (const Path& store : stores) {
            WB_TRY_ASSIGN(const auto blobs, blobsOfManifests(store));
            for (const auto& [manifest, ofManifest] : blobs)
                if (!manifests.contains(manifest)) m_used.insert(ofManifest.begin(), ofManifest.end());
        }
        return {};
    }

    // The manifest, which stands last, goes first: no model is ever left without its files.
    void takeFiles(const Entry& entry) {
        for (const StoredFile& file : entry.files | std::views::reverse) {
            if (!m_seen.insert(file.path).second) continue;
            if (m_used.contains(file.path)) keep(file.path, WB_TEXT("{} was kept: another model uses it."));
            else if (!file.behind.empty()) unlink(file.path);
            else toTrash(file.path, file.bytes());
        }
    }

    void toTrash(const Path& path, std::uint64_t bytes) {
        m_plan.trash.push_back(path);
        m_plan.frees = checked::add(m_plan.frees, bytes).value_or(std::numeric_limits<std::uint64_t>::max());
        m_emptied.insert(path.parent_path());
    }

    void unlink(const Path& path) {
        m_plan.unlink.push_back(path);
        m_emptied.insert(path.parent_path());
    }

    void keep(const Path& path, const char* sentence) { m_plan.kept.push_back({path, stays(path, sentence)}); }

    Result<void> takeFromCache(const Path& repository, const std::vector<const Entry*>& entries) {
        const bool hasOthers = std::ranges::any_of(
            m_listing.entries, [&](const Entry& other) { return other.repository == repository && !isChosen(other); });
        std::error_code error;
        if (!std::filesystem::is_directory(repository / "snapshots", error)) { // the older ModelScope cache
            if (!hasOthers) takeWhole(repository, entries);
            else
                for (const Entry* entry : entries) takeFiles(*entry);
            return {};
        }
        WB_TRY_ASSIGN(const Cache cache, readCache(repository, entryStore(*entries.front()).path));
        std::set<std::string> chosen;
        for (const Entry* entry : entries) chosen.insert(commitFromRepository(repository, entry->path));
        const bool hasOtherRevisions =
            std::ranges::any_of(cache.commits, [&](const std::string& commit) { return !chosen.contains(commit); });
        if (!hasOthers && !hasOtherRevisions) takeWhole(repository, entries);
        else takeLinks(repository, entries, cache);
        return {};
    }

    static std::string commitFromRepository(const Path& repository, const Path& path) {
        const Path relative = path.lexically_relative(repository / "snapshots");
        return relative.empty() ? std::string() : io::pathText(*relative.begin());
    }

    // In one piece, so that the trash can give it back in one.
    void takeWhole(const Path& repository, const std::vector<const Entry*>& entries) {
        std::uint64_t bytes = 0;
        std::set<Path> seen;
        for (const Entry* entry : entries)
            for (const StoredFile& file : entry->files) {
                std::error_code error;
                const Path& real = file.behind.empty() ? file.path : file.behind;
                if (!seen.insert(real).second) continue;
                if (startsWith(real, std::filesystem::canonical(repository, error)) || startsWith(real, repository))
                    bytes = checked::add(bytes, file.bytes()).value_or(bytes);
                else keep(real, WB_TEXT("{} was kept: other models in the cache may share it."));
            }
        toTrash(repository, bytes);
    }

    void takeLinks(const Path& repository, const std::vector<const Entry*>& entries, const Cache& cache) {
        std::set<Path> blobs;
        for (const Entry* entry : entries)
            for (const StoredFile& file : entry->files) {
                if (!m_seen.insert(file.path).second) continue;
                if (m_used.contains(file.path)) {
                    keep(file.path, WB_TEXT("{} was kept: another model uses it."));
                } else if (file.behind.empty()) {
                    toTrash(file.path, file.bytes());
                } else {
                    unlink(file.path);
                    blobs.insert(file.behind);
                }
            }
        std::error_code error;
        const Path own = std::filesystem::canonical(repository / "blobs", error);
        std::set<Path> unlinked(m_plan.unlink.begin(), m_plan.unlink.end());
        for (const Path& blob : blobs) {
            const auto links = cache.links.find(blob);
            const bool isNeeded = links != cache.links.end() && !std::ranges::includes(unlinked, links->second);
            if (isNeeded) keep(blob, WB_TEXT("{} was kept: another revision needs it."));
            else if (own.empty() || !startsWith(blob, own))
                keep(blob, WB_TEXT("{} was kept: other models in the cache may share it."));
            else toTrash(blob, io::statLink(blob).value_or(io::FileStat()).identity.bytes);
        }
    }

    // The folders of the removed files, up to the store's own, innermost first. Those that a cache is made of stay.
    void takeFolders() {
        std::set<Path> folders;
        for (Path folder : m_emptied)
            for (; isInsideStore(folder); folder = folder.parent_path()) folders.insert(folder);
        m_plan.empty.assign(folders.begin(), folders.end());
        std::ranges::stable_sort(m_plan.empty, std::ranges::greater(), [](const Path& path) { return path.native().size(); });
    }

    bool isInsideStore(const Path& folder) const {
        return std::ranges::any_of(m_chosen, [&](const Entry* entry) {
            const Store& store = entryStore(*entry);
            if (store.kind == StoreKind::Ollama && folder == store.path / "blobs") return false;
            return folder != store.path && startsWith(folder, store.path);
        });
    }

    const Listing& m_listing;
    std::vector<const Entry*> m_chosen;
    RemovalPlan m_plan;
    std::set<Path> m_used, m_seen, m_emptied;
};

Result<void> unlinkAll(const RemovalPlan& plan) {
    for (const Path& link : plan.unlink) {
        const auto stat = io::statLink(link);
        std::error_code error;
        if (stat && stat->type == io::FileStat::Type::Link) std::filesystem::remove(link, error);
        if (error)
            return fail(ErrorCode::NotWritable, Reason("library.not_removed"), About{io::pathText(link.filename())},
                        WB_TEXT("Cannot remove {} ({}); check the permissions of its folder."), io::pathText(link.filename()),
                        error.message());
    }
    return {};
}

} // namespace

Result<RemovalPlan> planRemoval(const Listing& listing, const std::vector<std::string>& ids) {
    std::vector<const Entry*> chosen;
    for (const std::string& id : ids) {
        const Entry* entry = listing.find(id);
        if (!entry) return fail(ErrorCode::NotFound, noSuchModel, About{id}, noSuchModelSentence, id);
        if (std::ranges::find(chosen, entry) == chosen.end()) chosen.push_back(entry);
    }
    return Planner(listing, std::move(chosen)).plan();
}

Result<void> remove(const RemovalPlan& plan, const Trash& trash, const Progress& progress) {
    WB_TRY(unlinkAll(plan));
    std::uint64_t done = 0;
    for (const Path& path : plan.trash) {
        WB_TRY(progress.at(done++, plan.trash.size()));
        WB_TRY(trash(path));
    }
    std::error_code ignored; // a folder that is not empty stays
    for (const Path& folder : plan.empty) std::filesystem::remove(folder, ignored);
    return {};
}

} // namespace wb::library
