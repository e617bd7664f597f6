// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/run/run_files.h"
#include "core/hub/content_hash.h"
#include "core/io/byte_source.h"
#include "core/net/transport.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

namespace wb::hub {

// The thread of a download that hashes the content at the beginning of the part file without a gap. So the hash is ready when the
// last byte is. Bytes that came out of the network and are next, or nearly so, are hashed where they are; all others are read back
// out of the system's cache.
class HashThread {
public:
    // Both outlive it.
    HashThread(const run::RunFiles& files, const RemoteFile& file);

    // The body of the thread; returns after stop().
    void work();

    // ---- called by the first thread

    void setPrefix(std::uint64_t bytes);

    // Bytes at `offset` of the file that are written by now. The lowest ones are kept until their turn comes, 32 MiB in all.
    void offer(std::uint64_t offset, net::Body bytes);

    // A disk that fails; empty: all is well.
    std::optional<Error> error() const;

    // Waits until `bytes` are hashed; the hash in small digits. `isWanted` is asked now and then whether it is still wanted.
    Result<std::string> finish(std::uint64_t bytes, const std::function<Result<void>()>& isWanted);
    void stop();

    // Starts to hash again: bytes that may be hashed already come again.
    void restart();

private:
    std::optional<std::pair<std::uint64_t, net::Body>> takeOffered();
    Result<std::uint64_t> hashOn(std::uint64_t begin, std::uint64_t end);

    const run::RunFiles& m_files;
    const RemoteFile& m_file;
    std::shared_ptr<io::FileSource> m_source;
    std::unique_ptr<ContentHash> m_hash;
    std::vector<std::byte> m_slab;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::uint64_t, net::Body> m_offered; // by offset
    std::uint64_t m_offeredBytes = 0;
    std::uint64_t m_prefix = 0;
    std::uint64_t m_hashed = 0;
    bool m_isStopped = false;
    bool m_isBusy = false; // with bytes and the hash, without the lock
    bool m_isRestarting = false;
    std::optional<Error> m_error;
};

} // namespace wb::hub
