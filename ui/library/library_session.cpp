// SPDX-License-Identifier: MIT
#include "ui/library/library_session.h"

#include "core/library/chosen_folders.h"
#include "ui/shell/services/devices.h"
#include "ui/shell/services/local_models.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/paths.h"

#include <algorithm>
#include <set>

namespace wb::ui::library {

using namespace wb::library;

namespace {

constexpr int settleMs = 1000; // after a change, so that a file being copied is read once
constexpr std::size_t checkedAtOnce = 8;
constexpr std::size_t watched = 500; // folders; the system has few watches for all programs together

std::vector<Store> placesStores(const LibraryPlaces& places, const std::filesystem::path& stateFolder) {
    std::vector<Store> stores = usualStores(places.environment);
    for (const Store& store : readChosenFolders(stateFolder)) {
        const auto same = std::ranges::find(stores, store.path, &Store::path);
        if (same == stores.end()) stores.push_back(store);
        else *same = store;
    }
    return stores;
}

QStringList foldersToWatch(const Listing& listing) {
    std::set<std::filesystem::path> folders;
    for (const StoreListing& store : listing.stores) folders.insert(store.store.path);
    for (const Entry& entry : listing.entries) {
        if (folders.size() >= watched) break;
        for (auto folder = entry.path.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
            if (!folders.insert(folder).second || folder == listing.stores[entry.store].store.path) break;
    }
    QStringList list;
    std::error_code ignored;
    for (const auto& folder : folders)
        if (std::filesystem::is_directory(folder, ignored)) list << qtPath(folder);
    return list;
}

struct Unchecked {
    std::string id, key;
    std::filesystem::path path;
};

// A model of another size under the same name is another one.
std::string checkedKey(const Entry& entry) { return fmt::format("{} {}", entry.id, entry.bytes()); }

// By headers alone.
Result<Checks> modelsChecks(const std::vector<Unchecked>& models, const wb::memory::DeviceLister& devices,
                            const Progress& progress) {
    Checks checks;
    const auto memories = wb::memory::memoriesHere(devices);
    for (const Unchecked& model : models) {
        WB_TRY_ASSIGN(checks[model.id], infer::checkRun(model.path, memories, progress.stop));
    }
    return checks;
}

std::vector<std::string> utf8(const QStringList& texts) {
    std::vector<std::string> list;
    for (const QString& text : texts) list.push_back(text.toStdString());
    return list;
}

} // namespace

LibrarySession::LibrarySession(const Services& services, QObject* parent)
    : QObject(parent), m_services(services), m_scan(services.jobs), m_plan(services.jobs), m_folders(services.jobs),
      m_checking(services.jobs) {
    m_again.setSingleShot(true);
    m_again.setInterval(settleMs);
    connect(&m_again, &QTimer::timeout, this, &LibrarySession::scan);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_again.start(); });
    if (!services.localModels) return;
    connect(services.localModels, &LocalModels::requested, this, [this] {
        if (!wasScanned() && !isScanning()) scan();
    });
}

// For the other tabs.
void LibrarySession::publish() {
    if (!m_services.localModels) return;
    QList<LocalModel> models;
    for (const Entry& entry : m_listing->entries) {
        const auto check = m_checks.find(entry.id);
        models.append({entry, check == m_checks.end() ? std::nullopt : std::optional(check->second)});
    }
    m_services.localModels->set(std::move(models));
}

void LibrarySession::scan() {
    m_again.stop();
    const auto work = [places = m_services.library, state = fsPath(m_services.stateFolder),
                       threads = m_services.settings->threads()](const Progress& progress) -> Result<Scanned> {
        WB_TRY_ASSIGN(Listing listing, wb::library::scan(placesStores(*places, state), *places->index, threads, progress));
        QStringList folders = foldersToWatch(listing);
        return Scanned{std::make_shared<const Listing>(std::move(listing)), std::move(folders)};
    };
    m_scan.start<Scanned>(
        tr("Scanning for models"), work, [this](const Scanned& scanned) { onScanned(scanned); },
        [this](const Error& error) {
            emit changed();
            emit failed(error);
        });
    emit changed();
}

void LibrarySession::onScanned(const Scanned& scanned) {
    m_listing = scanned.listing;
    watch(scanned.folders);
    publish();
    emit changed();
    checkNext();
}

// A few models at a time, so that other work comes in between.
void LibrarySession::checkNext() {
    std::vector<Unchecked> next;
    for (const Entry& entry : m_listing->entries) {
        if (next.size() == checkedAtOnce) break;
        if (const std::string key = checkedKey(entry); !m_checked.contains(key)) next.push_back({entry.id, key, entry.path});
    }
    if (next.empty()) return;
    for (const Unchecked& model : next) m_checked.insert(model.key);
    const auto work = [devices = memoryLister(m_services.devices), next](const Progress& progress) {
        return modelsChecks(next, devices, progress);
    };
    const auto done = [this](const Checks& checks) {
        for (const auto& [id, check] : checks) m_checks[id] = check;
        if (!checks.empty()) {
            publish();
            emit checksChanged();
        }
        checkNext();
    };
    m_checking.start<Checks>(tr("Checking which models run here"), work, done, [](const Error&) {});
}

void LibrarySession::watch(const QStringList& folders) {
    const QStringList before = m_watcher.directories();
    if (before == folders) return;
    if (!before.isEmpty()) m_watcher.removePaths(before);
    if (!folders.isEmpty()) m_watcher.addPaths(folders);
}

void LibrarySession::changeFolders(const std::function<void(std::vector<Store>&)>& change) {
    const auto work = [state = fsPath(m_services.stateFolder), change](const Progress&) -> Result<bool> {
        std::vector<Store> folders = readChosenFolders(state);
        change(folders);
        WB_TRY(writeChosenFolders(state, folders));
        return true;
    };
    m_folders.start<bool>(
        tr("Saving library folders"), work, [this](bool) { scan(); }, [this](const Error& error) { emit failed(error); });
}

void LibrarySession::addFolder(const QString& folder) {
    changeFolders([path = fsPath(folder).lexically_normal()](std::vector<Store>& folders) {
        if (std::ranges::find(folders, path, &Store::path) == folders.end()) folders.push_back({StoreKind::Folder, path, true});
    });
}

void LibrarySession::removeFolder(const QString& folder) {
    changeFolders([path = fsPath(folder)](std::vector<Store>& folders) {
        std::erase_if(folders, [&](const Store& store) { return store.path == path; });
    });
}

void LibrarySession::findDuplicates() {
    if (!m_listing) return;
    const auto work = [places = m_services.library, listing = m_listing](const Progress& progress) -> Result<bool> {
        Listing copy = *listing;
        WB_TRY(wb::library::findDuplicates(copy, *places->index, progress));
        return true;
    };
    startJob<bool>(
        *m_services.jobs, [] { return tr("Find duplicates"); }, this, work,
        [this](const Result<bool>& result) {
            if (result) scan(); // which knows the hashes now
            else if (result.error().code != ErrorCode::Canceled) emit failed(result.error());
        });
}

void LibrarySession::verify(const QStringList& ids) {
    if (!m_listing) return;
    const auto work = [listing = m_listing, names = utf8(ids)](const Progress& progress) -> Result<Verified> {
        std::vector<const Entry*> entries;
        for (const std::string& id : names)
            if (const Entry* entry = listing->find(id)) entries.push_back(entry);
        return wb::library::verify(entries, progress);
    };
    const auto title = [ids] {
        return ids.size() == 1 ? tr("Verify %1").arg(ids.first()) : tr("Verify %n model(s)", nullptr, static_cast<int>(ids.size()));
    };
    startJob<Verified>(*m_services.jobs, title, this, work, [this](const Result<Verified>& result) {
        if (result) emit verified(*result);
        else if (result.error().code != ErrorCode::Canceled) emit failed(result.error());
    });
}

void LibrarySession::planRemoval(const QStringList& ids) {
    if (!m_listing) return;
    const auto work = [listing = m_listing, names = utf8(ids)](const Progress&) {
        return wb::library::planRemoval(*listing, names);
    };
    m_plan.start<RemovalPlan>(
        tr("Checking removable files"), work, [this](const RemovalPlan& plan) { emit removalPlanned(plan); },
        [this](const Error& error) { emit failed(error); });
}

void LibrarySession::remove(const RemovalPlan& plan) {
    const auto work = [places = m_services.library, plan](const Progress& progress) -> Result<bool> {
        WB_TRY(wb::library::remove(plan, places->trash, progress));
        return true;
    };
    startJob<bool>(
        *m_services.jobs, tr("Move to trash"), this, work,
        [this](const Result<bool>& result) {
            if (!result && result.error().code != ErrorCode::Canceled) emit failed(result.error());
            scan(); // whatever was moved by then
        },
        false);
}

} // namespace wb::ui::library
