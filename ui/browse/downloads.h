// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/queue.h"
#include "ui/shell/services/hub_network.h"
#include "ui/shell/jobs/latest_job.h"

#include <QTimer>

#include <atomic>
#include <map>

namespace wb::ui::browse {

// The downloads of this window: the queue, kept over a restart, the download jobs, and interrupted downloads of other programs.
// Lives on the GUI thread; the disk and the hubs are touched by jobs only. Nothing starts before load().
class Downloads : public QObject {
    Q_OBJECT

public:
    Downloads(const Services& services, HubNetwork network, QObject* parent = nullptr);
    ~Downloads() override;

    void load();          // the queue of the last start continues; once
    void refreshStores(); // for downloads interrupted so far

    // One row of the list: entries of the queue in their order, then what was interrupted.
    struct Row {
        const wb::hub::DownloadRequest* request = nullptr;
        const wb::hub::QueuedDownload* queued = nullptr; // null: interrupted
        const wb::run::UnfinishedRun* run = nullptr;     // of an interrupted one
    };
    int rowCount() const { return static_cast<int>(m_queue.entries().size() + m_interrupted.size()); }
    Row row(int row) const;
    const wb::hub::DownloadQueue& queue() const { return m_queue; }

    // The reason of a running one's wait, and the seconds; empty: bytes flow. Also of a queued one that will be tried again.
    std::optional<WaitBoard::Waiting> waiting(const wb::hub::QueuedDownload& download) const;
    double bytesPerSecond(quint64 id) const; // 0: not known
    bool isHeldWithAll(quint64 id) const;    // its job waits until the queue continues
    const JobHandle* job(quint64 id) const;  // null: none works on it now
    QString result(quint64 id) const;        // the model that it fetched; empty: it is not done, or was done by an earlier start

    quint64 add(wb::hub::QueuedDownload download);

    // The same once the disk was looked at: one that cannot hold the files of this list is a failure, of one that would be all but
    // full isTight() tells, and nothing is added.
    void addIfSpace(wb::hub::QueuedDownload download, const wb::hub::FileList& list);
    void pause(quint64 id);
    void cancel(quint64 id); // the received bytes stay
    void resume(quint64 id);
    void move(quint64 id, int places);
    void remove(quint64 id); // with the received bytes, unless complete
    void removeDone();
    void setLimit(quint64 id, quint64 bytesPerSecond);
    void pauseAll(bool isPaused);
    void setTotalLimit(quint64 bytesPerSecond);
    void setHours(std::optional<wb::hub::Hours> hours);

    void goOn(const wb::hub::DownloadRequest& interrupted);
    void discard(const wb::hub::DownloadRequest& interrupted);

    bool isSaved() const { return !m_save.isRunning() && !m_isUnsaved; } // what was edited is on the disk
    int runningCount() const { return static_cast<int>(m_jobs.size()); }

signals:
    void aboutToResume();     // the list was read, and some of it will be downloaded now
    void changed();           // rows came, went or moved
    void rowChanged(int row); // its state or figures
    void downloaded(const QString& folder);
    void isTight(const wb::hub::QueuedDownload& download, const wb::Error& warning);
    void failed(const wb::Error& error); // of a download, or of the list's own file

private:
    struct Running {
        wb::hub::DownloadRequest request;
        std::shared_ptr<JobHandle> job;
        std::shared_ptr<wb::hub::SpeedLimit> limit;
        std::shared_ptr<WaitBoard> board;
        std::shared_ptr<std::atomic<bool>> isPaused = std::make_shared<std::atomic<bool>>(false); // the job, also for its worker
        bool isHeld = false;                                                                      // paused with all others
    };
    struct Loaded {
        std::shared_ptr<wb::hub::QueueFile> file; // null: another program holds the queue
        wb::hub::DownloadQueue queue;
        std::vector<wb::hub::InterruptedDownload> interrupted;
    };
    void take(const Loaded& loaded);
    void startNext();
    bool isHeld(const wb::hub::QueuedDownload& download) const; // until another job has let go of its files
    void start(const wb::hub::QueuedDownload& download);
    void onEnded(quint64 id, const Result<std::string>& folder);
    void watch(quint64 id, JobHandle& job);
    void onPaused(quint64 id, bool isPaused);
    void onProgress(quint64 id, quint64 done, quint64 total);
    void stopJob(quint64 id);
    bool pauseJob(quint64 id); // false: it is not running and was reported to stop instead
    void holdAll();
    void releaseAll();
    void clean(const wb::hub::DownloadRequest& request); // a removed one leaves nothing
    void save();
    void edited(); // the queue was: it is shown, saved and continued with
    void tick();
    void showRow(quint64 id);
    int minute() const;

    const Services& m_services;
    HubNetwork m_network;
    wb::hub::DownloadQueue m_queue;
    std::vector<wb::hub::InterruptedDownload> m_interrupted;
    std::shared_ptr<wb::hub::QueueFile> m_file;
    std::map<quint64, Running> m_jobs;
    std::map<quint64, QString> m_results;                  // of those that are done
    std::map<quint64, wb::hub::DownloadRequest> m_cleaned; // what jobs remove now, by their own numbers
    quint64 m_lastCleaning = 0;
    std::shared_ptr<wb::hub::SpeedLimit> m_totalLimit = std::make_shared<wb::hub::SpeedLimit>();
    LatestJob m_load;
    LatestJob m_look;
    LatestJob m_save;
    QTimer m_tick;
    bool m_isLoaded = false;
    bool m_isUnsaved = false; // edited while it was written
};

} // namespace wb::ui::browse
