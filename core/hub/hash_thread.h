// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/run_files.h"
#include "core/hub/content_hash.h"
#include "core/io/byte_source.h"

#include <condition_variable>
#include <functional>
#include <mutex>

namespace wb::hub {

// The second thread of a download: hashes what lies at the beginning of the part file without a gap, out of the system's cache, and
// brings to the disk and into the journal what is new. So the hash is ready when the last byte is, and nobody waits for a disk.
class HashThread {
public:
    // All outlive it.
    HashThread(run::RunFiles& files, const run::OutputPlan& plan, const RemoteFile& file);

    // What the second thread does until finish() or stop(); never returns before.
    void work();

    // ---- called by the first thread

    void setPrefix(std::uint64_t bytes);

    // What to journal: a piece and how many bytes of it are there. False while the former ones are on their way.
    struct Piece {
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;
    };
    bool save(std::vector<Piece> pieces);
    bool isSaving() const;
    void waitUntilSaved();

    // A disk that is full or fails; empty: all is well.
    std::optional<Error> error() const;

    // Waits until all is saved and `bytes` are hashed, or nothing more than saved; the hash in small digits. `isWanted` is asked
    // now and then whether it is still wanted.
    Result<std::string> finish(std::uint64_t bytes, const std::function<Result<void>(std::uint64_t hashed)>& isWanted);
    void stop(); // after what is to be saved is

    // Begins to hash anew: some pieces are fetched again.
    void restart();

private:
    std::optional<std::vector<Piece>> nextSave();
    Result<void> saveNow(const std::vector<Piece>& pieces);
    Result<void> hashOn(std::uint64_t begin, std::uint64_t end);

    run::RunFiles& m_files;
    const run::OutputPlan& m_plan;
    const RemoteFile& m_file;
    std::shared_ptr<io::FileSource> m_source;
    std::unique_ptr<ContentHash> m_hash;
    std::vector<std::byte> m_slab;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint64_t m_prefix = 0;
    std::uint64_t m_hashed = 0;
    std::vector<Piece> m_toSave;
    bool m_isSaving = false;
    bool m_isStopped = false;
    std::optional<Error> m_error;
};

} // namespace wb::hub
