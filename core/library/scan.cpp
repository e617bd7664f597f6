// SPDX-License-Identifier: MIT
#include "core/library/scan.h"

#include "core/base/checked.h"
#include "core/io/digests/sha256.h"
#include "core/jobs/thread_pool.h"
#include "core/library/damage.h"
#include "core/library/store_readers.h"
#include "core/library/walk.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace wb::library {
namespace {

using DiskPlace = std::pair<std::uint64_t, std::uint64_t>; // device and inode

DiskPlace filePlace(const StoredFile& file) { return {file.identity.device, file.identity.inode}; }

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return checked::add(a, b).value_or(std::numeric_limits<std::uint64_t>::max());
}

Result<Found> readStore(const Store& store, unsigned threads, const Progress& progress) {
    switch (store.kind) {
    case StoreKind::HuggingFace: return readHuggingFaceCache(store, progress);
    case StoreKind::ModelScope: return readModelScopeCache(store, progress);
    case StoreKind::Ollama: return readOllama(store, progress);
    case StoreKind::LlamaCpp: // its newer versions keep the layout of the Hugging Face cache
    case StoreKind::Weighbridge:
    case StoreKind::LmStudio:
    case StoreKind::Jan:
    case StoreKind::Folder: break;
    }
    return readFolder(store, threads, progress);
}

bool isFolder(const std::filesystem::path& path) {
    const auto stat = io::statFile(path);
    return stat && stat->type == io::FileStat::Type::Folder;
}

Result<void> addStore(Store store, Listing& listing, unsigned threads, const Progress& progress) {
    if (!store.path.has_filename()) store.path = store.path.parent_path(); // "folder/"
    if (!isFolder(store.path)) {
        if (!store.isChosen) return {};
        listing.stores.push_back({store, 0, 0, {}});
        listing.stores.back().problems.push_back(makeProblem(
            Severity::Warning, "library.store_missing", {}, std::nullopt,
            WB_TEXT("{} was not found; connect its drive, or remove the folder from the library."), io::pathText(store.path)));
        return {};
    }
    WB_TRY_ASSIGN(Found found, readStore(store, threads, progress));
    for (Entry& entry : found.entries) {
        entry.store = listing.stores.size();
        listing.entries.push_back(std::move(entry));
    }
    listing.stores.push_back({store, found.entries.size(), 0, std::move(found.problems)});
    return {};
}

// The index is read while the stores are listed.
Result<void> readStores(const std::vector<Store>& stores, Listing& listing, FactsIndex& index, unsigned threads,
                        const Progress& progress) {
    return jobs::parallelFor(2, threads, progress.stop, [&](std::uint64_t i) -> Result<void> {
        if (i == 1) {
            index.load();
            return {};
        }
        for (const Store& store : stores) WB_TRY(addStore(store, listing, threads, progress));
        return {};
    });
}

// The headers to read: of every weight file, and of the config.json next to weights that do not specify everything.
bool hasFacts(const StoredFile& file) {
    if (file.role == FileRole::Weights) return true;
    const std::string_view own = std::string_view(file.name).substr(file.name.rfind('/') + 1);
    return own == "config.json" || own == "model_index.json";
}

Result<void> readMissing(const Listing& listing, FactsIndex& index, unsigned threads, const Progress& progress) {
    std::vector<const StoredFile*> missing;
    std::set<DiskPlace> seen;
    for (const Entry& entry : listing.entries)
        for (const StoredFile& file : entry.files)
            if (hasFacts(file) && seen.insert(filePlace(file)).second && !index.knows(file.identity)) missing.push_back(&file);
    std::atomic<std::uint64_t> done{0};
    return jobs::parallelFor(missing.size(), threads, progress.stop, [&](std::uint64_t i) -> Result<void> {
        const StoredFile& file = *missing[i];
        WB_TRY_ASSIGN(const FileFacts facts, readFacts(file.path, {progress.stop, {}}));
        index.keep(file.identity, facts);
        return progress.at(++done, missing.size());
    });
}

void preferConfig(FileFacts& facts, const FileFacts& config) {
    if (!config.architecture.empty()) facts.architecture = config.architecture;
    if (!config.quant.empty()) facts.quant = config.quant;
    if (config.context > 0) facts.context = config.context;
}

// The first file has the common facts; sizes are those of all together.
FileFacts entryFacts(Entry& entry, FactsIndex& index) {
    FileFacts all;
    for (StoredFile& file : entry.files) {
        if (!hasFacts(file)) continue;
        const auto known = index.find(file.identity);
        if (!known) continue;
        if (file.role != FileRole::Weights) {
            preferConfig(all, *known);
            continue;
        }
        if (file.sha256.empty()) file.sha256 = known->sha256;
        if (all.format == FormatId::Unknown) all = *known;
        else {
            all.parameters = sum(all.parameters, known->parameters);
            all.tensorBytes = sum(all.tensorBytes, known->tensorBytes);
        }
        all.isDamaged = all.isDamaged || known->isDamaged;
    }
    all.sha256.clear();
    return all;
}

void addTotals(Listing& listing) {
    std::set<DiskPlace> seen;
    for (const Entry& entry : listing.entries) {
        StoreListing& store = listing.stores[entry.store];
        store.bytes = sum(store.bytes, entry.bytes());
        listing.bytes = sum(listing.bytes, entry.bytes());
        for (const StoredFile& file : entry.files)
            if (seen.insert(filePlace(file)).second) listing.bytesOnDisk = sum(listing.bytesOnDisk, file.bytes());
    }
}

// The hashes of all weights of an entry in order, joined; empty if one is unknown.
std::string contentKey(const Entry& entry) {
    std::vector<std::string> hashes;
    for (const StoredFile& file : entry.files) {
        if (file.role != FileRole::Weights) continue;
        if (file.sha256.empty()) return {};
        hashes.push_back(file.sha256);
    }
    std::ranges::sort(hashes);
    std::string key;
    for (const std::string& hash : hashes) key += hash;
    return key;
}

// Weight files without a hash whose size another weight file has too.
std::vector<StoredFile*> filesToHash(Listing& listing) {
    std::map<std::uint64_t, std::set<DiskPlace>> ofSize;
    const auto forWeights = [&](const auto& use) {
        for (Entry& entry : listing.entries)
            for (StoredFile& file : entry.files)
                if (file.role == FileRole::Weights) use(file);
    };
    forWeights([&](StoredFile& file) { ofSize[file.bytes()].insert(filePlace(file)); });
    std::vector<StoredFile*> files;
    forWeights([&](StoredFile& file) {
        if (file.sha256.empty() && ofSize[file.bytes()].size() > 1) files.push_back(&file);
    });
    return files;
}

Result<void> hashFile(StoredFile& file, FactsIndex& index, const Progress& progress) {
    FileFacts facts = index.find(file.identity).value_or(FileFacts());
    if (facts.sha256.empty()) {
        const auto source = io::FileSource::open(file.path);
        if (!source) return {}; // it is gone or not readable: then it is no duplicate either
        const auto digest = io::hashSha256(**source, progress);
        if (!digest && digest.error().code == ErrorCode::Canceled) return std::unexpected(digest.error());
        if (!digest) return {};
        facts.sha256 = io::hexText(*digest);
        index.keep((*source)->identity(), facts);
    }
    file.sha256 = facts.sha256;
    return {};
}

} // namespace

std::uint64_t Entry::bytes() const {
    std::uint64_t total = 0;
    for (const StoredFile& file : files) total = sum(total, file.bytes());
    return total;
}

std::int64_t Entry::lastUsed() const {
    std::int64_t latest = 0;
    for (const StoredFile& file : files)
        if (file.role == FileRole::Weights) latest = std::max(latest, file.accessed);
    return latest;
}

double Entry::bitsPerWeight() const {
    if (facts.parameters == 0) return 0;
    return static_cast<double>(facts.tensorBytes) * 8 / static_cast<double>(facts.parameters);
}

const Entry* Listing::find(std::string_view id) const {
    const auto found = std::ranges::find(entries, id, [](const Entry& entry) { return std::string_view(entry.id); });
    return found == entries.end() ? nullptr : &*found;
}

void markDuplicates(Listing& listing) {
    std::map<std::string, std::vector<Entry*>> equal;
    for (Entry& entry : listing.entries) {
        entry.duplicates.clear();
        if (std::string key = contentKey(entry); !key.empty()) equal[std::move(key)].push_back(&entry);
    }
    constexpr std::size_t listed = 100; // of one content, so that thousands of links to one file stay cheap
    for (const auto& [key, entries] : equal)
        for (Entry* entry : entries)
            for (const Entry* other : std::span(entries).first(std::min(entries.size(), listed)))
                if (other != entry) entry->duplicates.push_back(other->id);
}

Result<Listing> scan(const std::vector<Store>& stores, FactsIndex& index, unsigned threads, const Progress& progress) {
    Listing listing;
    WB_TRY(readStores(stores, listing, index, threads, progress));
    const Result<void> isRead = readMissing(listing, index, threads, progress);
    if (isRead)
        for (Entry& entry : listing.entries) entry.facts = entryFacts(entry, index);
    const Result<void> isMarked = isRead ? markDamaged(listing, index, threads, progress) : isRead;
    index.flush(); // also the models read before a stop
    WB_TRY(isMarked);
    std::ranges::stable_sort(listing.entries, {}, &Entry::name);
    addTotals(listing);
    markDuplicates(listing);
    return listing;
}

Result<void> findDuplicates(Listing& listing, FactsIndex& index, const Progress& progress) {
    const std::vector<StoredFile*> files = filesToHash(listing);
    std::uint64_t total = 0, before = 0;
    for (const StoredFile* file : files) total = sum(total, file->bytes());
    for (StoredFile* file : files) {
        const Progress ofFile{progress.stop, [&](std::uint64_t done, std::uint64_t) {
                                  if (progress.report) progress.report(before + done, total);
                              }};
        WB_TRY(hashFile(*file, index, ofFile));
        before = sum(before, file->bytes());
    }
    index.flush();
    markDuplicates(listing);
    return {};
}

} // namespace wb::library
