// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace wb::ui::convert {

// A run that was started and has not ended: enough to go on after a crash or a restart.
struct UnfinishedRun {
    QString model;
    QString target;
    QString plan;      // the text of a plan file
    QStringList parts; // what it leaves on the disk beside the journal
    bool replace = false; // the target may exist
};

// Remembers runs in small files of the cache folder, one a target, from their start to their end. A record whose journal is gone is
// forgotten.
class UnfinishedRuns {
public:
    explicit UnfinishedRuns(const QString& cacheFolder);

    void add(const UnfinishedRun& run);
    void remove(const QString& target); // the record only
    void discard(const UnfinishedRun& run); // and what it left on the disk
    QList<UnfinishedRun> all() const;

private:
    QString fileOf(const QString& target) const;

    QString m_folder;
};

} // namespace wb::ui::convert
