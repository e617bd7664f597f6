// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/downloads.h"
#include "ui/shell/jobs/work_source.h"

namespace wb::ui::browse {

// The downloads for the Jobs page: those of the queue and those that were interrupted.
class DownloadsWork : public WorkSource {
    Q_OBJECT

public:
    explicit DownloadsWork(Downloads& downloads, QObject* parent = nullptr); // which must outlive it

    QList<WorkItem> items() const override;
    void pause(const QString& id) override;
    void resume(const QString& id) override;
    void cancel(const QString& id) override; // the received bytes stay, and it can be resumed
    void remove(const QString& id) override; // of one that is not done removeWanted() asks first

signals:
    // With the received bytes; `id` is empty for one that is not in the queue.
    void removeWanted(const wb::hub::DownloadRequest& request, std::optional<quint64> id);

private:
    WorkItem item(const Downloads::Row& row) const;
    Downloads::Row find(const QString& id) const; // empty: it is gone

    Downloads& m_downloads;
};

} // namespace wb::ui::browse
