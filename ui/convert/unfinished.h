// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/unfinished.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace wb::ui::convert {

// A run that was started and has not ended, of this window or of wb: wb::run::UnfinishedRun in Qt's words.
struct UnfinishedRun {
    using State = wb::run::UnfinishedRun::State;
    QString kind; // of what writes it: "quantize", "convert"
    QString model;
    QString target;
    QString plan;               // the text of a plan file; empty: none exists, and it cannot be resumed from here
    QStringList files;          // those it will write
    bool replace = false;       // the target may exist
    std::optional<int> percent; // progress, if known
    State state = State::Waiting;
    bool canResume = false;
    std::string fingerprint;            // of its plan; empty where nothing is done yet
    std::optional<qint64> changed = {}; // when something was written to it last, in seconds since 1970

    bool operator==(const UnfinishedRun&) const = default;
};

// The unfinished runs of this user (core/convert/run/unfinished.h). Everything touches the disk: for worker threads.
class UnfinishedRuns {
public:
    explicit UnfinishedRuns(const QString& stateFolder) : m_stateFolder(stateFolder) {}

    Result<void> discard(const UnfinishedRun& run); // with its files on the disk; NotWritable, and all stays, where it is held
    QList<UnfinishedRun> all() const;
    std::optional<UnfinishedRun> of(const QString& target) const; // also of one that has no record here

private:
    QString m_stateFolder;
};

} // namespace wb::ui::convert
