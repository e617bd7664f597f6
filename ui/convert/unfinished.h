// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>

namespace wb::io {
class LockedFile;
}

namespace wb::ui::convert {

// A run that was started and has not ended: enough to go on after a crash or a restart.
struct UnfinishedRun {
    enum class State {
        Waiting, // can go on
        Held,    // goes on at this moment, in another window or program
        Away,    // the folder of the target is not there, as that of a disk which was taken out
    };
    QString model;
    QString target;
    QString plan;         // the text of a plan file
    QStringList parts;    // what it leaves on the disk beside the journal
    bool replace = false; // the target may exist
    quint64 items = 0;    // of work, all of it; 0: a version that did not say kept it
    State state = State::Waiting;

    bool operator==(const UnfinishedRun&) const = default;
};

// What a run that does not go on at this moment has left in the journal of a target.
struct KeptWork {
    std::string job; // its fingerprint
    quint64 items = 0;
};
std::optional<KeptWork> keptWork(const QString& target); // nothing where none was left

// Says for as long as it exists that a run lives, also before its journal is there. The system ends it with the process, however that
// ends.
class RunClaim {
public:
    explicit RunClaim(std::unique_ptr<io::LockedFile> file);
    ~RunClaim();
    RunClaim(const RunClaim&) = delete;
    RunClaim& operator=(const RunClaim&) = delete;

private:
    std::unique_ptr<io::LockedFile> m_file;
};

// Remembers runs in small files beside the session, one a target, from their start to their end. A record whose journal is gone is
// forgotten, unless its run lives or the whole folder is gone. Who holds the journal holds what it speaks of.
class UnfinishedRuns {
public:
    explicit UnfinishedRuns(const QString& stateFolder);

    // Fetches the records that earlier versions kept in the cache folder.
    void takeOver(const QString& cacheFolder);

    // To be kept while the run lives. Null where it is not remembered: the place is that of one that is held, or nothing can be written.
    [[nodiscard]] std::unique_ptr<RunClaim> add(const UnfinishedRun& run);
    void remove(const QString& target); // the record only
    Result<void> discard(const UnfinishedRun& run); // and what it left on the disk; NotWritable, and all stays, where it is held
    QList<UnfinishedRun> all() const;
    std::optional<UnfinishedRun> of(const QString& target) const;

private:
    QString fileOf(const QString& target, const char* ending = ".json") const;
    bool isClaimed(const QString& target) const;
    UnfinishedRun::State stateOf(const QString& target) const;

    QString m_folder;
};

} // namespace wb::ui::convert
