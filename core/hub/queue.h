// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/download.h"

namespace wb::hub {

// One download that was asked for.
struct QueuedDownload {
    // Queued: its turn comes; with `error` it waits for what passes with time, the network for one. Running: a job downloads it.
    // Paused, Canceled: the user stopped it, and only the user resumes it. Blocked: it ended with `error`, and something has to be
    // done first (consent to terms, disk space). Done: all is there. All but Done keep the received bytes.
    enum class State { Queued, Running, Paused, Canceled, Blocked, Done };

    std::uint64_t id = 0;
    DownloadRequest request;          // of it `repository`, `files`, `place` and `alternates` are kept over a restart
    std::uint64_t bytes = 0;          // of its files, as far as known
    std::uint64_t doneBytes = 0;      // of these that are there
    std::uint64_t bytesPerSecond = 0; // at most; 0: no separate limit
    State state = State::Queued;
    std::optional<Error> error;
    unsigned failures = 0;    // in a row, of those that pass with time
    net::Time notBefore = {}; // of Queued with `error`
};

// A part of the day, in minutes since midnight; where `start` is later it passes midnight.
struct Hours {
    int begin = 0, end = 0;

    bool contains(int minute) const;
    int minutesUntil(int minute) const; // that it starts; 0: it is now
    bool operator==(const Hours&) const = default;
};

// The downloads in order, and the reasons for waiting. It does nothing by itself: it is reported what
// happened and asked what is next. Not thread-safe.
class DownloadQueue {
public:
    static constexpr unsigned atOnce = 2; // with four connections each, the eight that a host gets

    const std::vector<QueuedDownload>& entries() const { return m_entries; }
    const QueuedDownload* find(std::uint64_t id) const; // null: none exists

    // The number of the entry: of the one that fetches the same files to the same place, where there is one.
    std::uint64_t add(QueuedDownload download);
    void remove(std::uint64_t id);
    void removeDone();
    void move(std::uint64_t id, int places); // forward where negative; as far as it goes
    void moveFirst(std::uint64_t id);

    void pause(std::uint64_t id);
    void cancel(std::uint64_t id);
    void resume(std::uint64_t id); // also of one that is blocked or waits: it is tried now
    void pauseAll(bool isPaused) { m_isPaused = isPaused; }
    bool isPaused() const { return m_isPaused; }

    void setLimit(std::uint64_t id, std::uint64_t bytesPerSecond);
    void setTotalLimit(std::uint64_t bytesPerSecond) { m_totalLimit = bytesPerSecond; }
    std::uint64_t totalLimit() const { return m_totalLimit; }

    // Downloads start, and continue, in these hours only.
    void setHours(std::optional<Hours> hours) { m_hours = hours; }
    std::optional<Hours> hours() const { return m_hours; }

    // Whether anything may run at this minute of the day.
    bool isOpen(int minute) const { return !m_isPaused && (!m_hours || m_hours->contains(minute)); }

    // The entry to start now; empty: none. One that isHeld is passed over.
    std::optional<std::uint64_t> next(int minute, net::Time now,
                                      const std::function<bool(const QueuedDownload&)>& isHeld = {}) const;
    void begun(std::uint64_t id);
    void setProgress(std::uint64_t id, std::uint64_t done, std::uint64_t total);

    // A canceled one is queued again unless it was paused or removed meanwhile. One that the network or the hub's trouble ended is
    // tried again after a minute, then two, four … ten. A full disk pauses the whole queue, since the next would fail likewise.
    void ended(std::uint64_t id, const Result<void>& result, net::Time now);

    // Those that wait for the network are tried at once: it is back.
    void retryNow();

    // Bytes that the other entries still want on the disk.
    std::uint64_t bytesOfOthers(std::uint64_t id) const;

    // State saved over a restart: entries that are not done, in order; downloads that ran are queued. The error of a blocked one
    // comes back with its reason and its English sentence.
    std::string toJson() const;

    // Malformed (`hub.bad_queue`) where the text is not one of toJson(); entries that are not understood are omitted.
    static Result<DownloadQueue> fromJson(std::string_view json);

private:
    QueuedDownload* entry(std::uint64_t id);
    unsigned running() const;

    std::vector<QueuedDownload> m_entries;
    std::uint64_t m_lastId = 0;
    bool m_isPaused = false;
    std::uint64_t m_totalLimit = 0;
    std::optional<Hours> m_hours;
};

// Whether both fetch the same files to the same place.
bool isSameDownload(const DownloadRequest& a, const DownloadRequest& b);

// Whether `whole` fetches what `one`, of a single file, does.
bool covers(const DownloadRequest& whole, const DownloadRequest& one);

// Whether both may write the same file, so that one has to wait until the other has ended.
bool meets(const DownloadRequest& a, const DownloadRequest& b);

// The queue of a state folder on the disk, locked by one program at a time; it is written atomically, so that a kill leaves the one
// before or the new one.
class QueueFile {
public:
    // NotWritable where another program contains it: its queue continues there.
    static Result<std::unique_ptr<QueueFile>> open(const std::filesystem::path& stateFolder);

    // Empty if none exists. One that is damaged is renamed to downloads.json.damaged, and the queue starts again.
    DownloadQueue read() const;
    Result<void> write(const std::string& json) const;

private:
    QueueFile(std::filesystem::path file, std::unique_ptr<io::LockedFile> lock)
        : m_file(std::move(file)), m_lock(std::move(lock)) {}

    std::filesystem::path m_file;
    std::unique_ptr<io::LockedFile> m_lock;
};

// What was interrupted, by a kill or by `wb download`, and can continue, if the record describes it.
struct InterruptedDownload {
    run::UnfinishedRun run;
    DownloadRequest request; // of its one file
};
std::vector<InterruptedDownload> interruptedDownloads(const std::filesystem::path& stateFolder);

} // namespace wb::hub
