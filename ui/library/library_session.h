// SPDX-License-Identifier: MIT
#pragma once

#include "core/library/verify.h"
#include "core/infer/graph/run_check.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/shell/services.h"
#include "ui/shell/services/library_places.h"

#include <QFileSystemWatcher>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace wb::ui::library {

// Whether this program runs a model on this computer, by its id.
using Checks = std::map<std::string, wb::infer::RunCheck>;

using ListingPtr = std::shared_ptr<const wb::library::Listing>;
using Verified = std::vector<wb::library::VerifiedFile>;

// The models of this computer and actions on them. Lives on the GUI thread; everything that touches the disk is a job. Its
// folders are watched from the first scan on, and scanned again a moment after something changed in them.
class LibrarySession : public QObject {
    Q_OBJECT

public:
    explicit LibrarySession(const Services& services, QObject* parent = nullptr); // the services must outlive it

    void scan(); // drops the answer of a scan that still runs
    bool isScanning() const { return m_scan.isRunning(); }
    bool wasScanned() const { return m_listing != nullptr; }
    ListingPtr listing() const { return m_listing; }  // null before the first scan
    const Checks& checks() const { return m_checks; } // grows after a scan
    bool isChecking() const { return m_checking.isRunning(); }

    void addFolder(const QString& folder);
    void removeFolder(const QString& folder); // from the list; nothing on the disk is touched

    void findDuplicates();                             // a visible job
    void verify(const QStringList& ids);               // the same; emits `verified` at the end
    void planRemoval(const QStringList& ids);          // emits `removalPlanned` at the end
    void remove(const wb::library::RemovalPlan& plan); // starts a new scan at the end

signals:
    void changed(); // listing() or isScanning()
    void checksChanged();
    void verified(const wb::ui::library::Verified& files);
    void removalPlanned(const wb::library::RemovalPlan& plan);
    void failed(const wb::Error& error);

private:
    struct Scanned {
        ListingPtr listing;
        QStringList folders; // to watch
    };
    void onScanned(const Scanned& scanned);
    void changeFolders(const std::function<void(std::vector<wb::library::Store>&)>& change);
    void watch(const QStringList& folders);
    void checkNext();
    void publish();

    const Services& m_services;
    ListingPtr m_listing;
    LatestJob m_scan;
    LatestJob m_plan;
    LatestJob m_folders;
    LatestJob m_checking;
    Checks m_checks;
    std::set<std::string> m_checked; // ids with their sizes
    QFileSystemWatcher m_watcher;
    QTimer m_again;
};

} // namespace wb::ui::library
