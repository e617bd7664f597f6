// SPDX-License-Identifier: MIT
#pragma once

#include "ui/convert/unfinished.h"
#include "ui/shell/jobs/latest_job.h"
#include "ui/widgets/sentence.h"

namespace wb::ui::convert {

// The unfinished runs of this computer for the page that offers them. Their records and journals are read by jobs. GUI thread only.
class UnfinishedList : public QObject {
    Q_OBJECT

public:
    explicit UnfinishedList(const Services& services); // which must outlive it

    void refresh();
    void discard(const QString& target); // the run to it, and what it left on the disk
    bool isBusy() const { return m_listing.isRunning() || m_discarding.isRunning(); }
    const std::vector<UnfinishedRun>& runs() const { return m_runs; } // as they were at the last refresh

signals:
    void changed();
    void discardFailed(const wb::ui::Sentence& why);

private:
    const Services& m_services;
    LatestJob m_listing;
    LatestJob m_discarding;
    std::vector<UnfinishedRun> m_runs;
};

} // namespace wb::ui::convert
