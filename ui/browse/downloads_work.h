// SPDX-License-Identifier: MIT
#pragma once

#include "ui/browse/downloads.h"
#include "ui/shell/jobs/work_source.h"

namespace wb::ui::browse {

// The downloads for the Jobs page: those of the queue and those that were interrupted. Its questions belong to `window`.
class DownloadsWork : public WorkSource {
    Q_OBJECT

public:
    DownloadsWork(Downloads& downloads, QWidget* window); // both must outlive it

    QList<WorkItem> items() const override;
    void pause(const QString& id) override;
    void resume(const QString& id) override;
    void cancel(const QString& id) override; // the received bytes stay, and it can be resumed
    void remove(const QString& id) override; // of one that is not done it asks first: the received bytes go with it
    void move(const QString& id, int places) override;
    void addCommands(QMenu* menu, const QString& id) override;
    void refresh() override { m_downloads.refreshStores(); }

signals:
    void pageWanted(const wb::hub::Repository& repository); // to look at it, or to accept its terms

private:
    WorkItem item(const Downloads::Row& row) const;
    Downloads::Row find(const QString& id) const; // empty: it is gone

    void askToRemove(const wb::hub::DownloadRequest& request, std::optional<quint64> id);

    Downloads& m_downloads;
    QWidget* m_window;
};

} // namespace wb::ui::browse
