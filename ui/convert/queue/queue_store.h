// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/queue/queued_run.h"

#include <QList>

#include <mutex>
#include <set>

namespace wb::ui::convert {

// The queue on the disk, so that it outlives the program however that ends: in the folder "queue" of the state folder, one small
// JSON file a run, which goes when its run is done. Everything touches the disk: for worker threads. Thread-safe; jobs that save
// and remove one run may come in any order.
class QueueStore {
public:
    explicit QueueStore(const QString& stateFolder); // empty: nothing is kept

    Result<void> save(const QueuedRun& run); // NotWritable
    void remove(quint64 id);                 // for good: it is not saved afterwards
    QList<QueuedRun> all() const;            // in their order, all waiting; files that are not among ours are omitted

private:
    QString runFile(quint64 id) const;

    const QString m_folder;
    std::mutex m_mutex;
    std::set<quint64> m_removed;
};

} // namespace wb::ui::convert
