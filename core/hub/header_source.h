// SPDX-License-Identifier: MIT
#pragma once

#include "core/hub/client.h"
#include "core/io/byte_source.h"

#include <mutex>

namespace wb::hub {

// The beginning of a file that is on a hub, for what its header says: read by at most `maxRequests` range requests, of 2, 8 and
// 20 MiB, so that the fit of a model can be computed without downloading it: less than 32 MB of a file, where the longest
// vocabularies take 16. Data after it is read only where that was allowed. Thread-safe.
class HeaderSource final : public io::ByteSource {
public:
    static constexpr unsigned maxRequests = 3;

    // The repository names a commit. `client` and what `progress` borrows must outlive the source. Asks where the bytes are; errors
    // as Client's, Malformed where the file there has another size than the list says.
    static Result<std::shared_ptr<HeaderSource>> open(Client& client, const Repository& repository, const RemoteFile& file,
                                                      const Progress& progress);

    std::uint64_t size() const override { return m_size; }
    const std::string& name() const override { return m_name; }

    // TooLarge beyond the range of the requests.
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override;

    unsigned requests() const;

    // So many bytes of data may be fetched, by all sources that share it. Thread-safe.
    class Allowance {
    public:
        explicit Allowance(std::uint64_t bytes) : m_left(bytes) {}
        bool take(std::uint64_t bytes); // false: fewer are left, and none is taken

    private:
        std::mutex m_mutex;
        std::uint64_t m_left;
    };

    // From now on the content after the bytes that are there is requested by separate ranges, as far as the allowance goes: for a
    // look at some tensors. Beyond that reads are TooLarge (`hub.remote_limit`).
    void allowData(std::shared_ptr<Allowance> allowance);

private:
    HeaderSource(Client& client, Hub hub, net::Url url, const RemoteFile& file, const Progress& progress);
    Result<void> grow() const;
    Result<net::Answer> ask(std::uint64_t begin, std::uint64_t end) const;
    Result<std::string> fetch(std::uint64_t begin, std::uint64_t end) const;
    Result<void> readData(std::uint64_t offset, std::span<std::byte> out) const;

    Client& m_client;
    Hub m_hub;
    net::Url m_url;
    std::string m_name;
    std::uint64_t m_size;
    Progress m_progress;
    mutable std::mutex m_mutex; // of the members below
    mutable std::string m_bytes;
    mutable unsigned m_requests = 0;
    std::shared_ptr<Allowance> m_allowance; // null: the header alone may be read
    mutable std::uint64_t m_blockAt = 0;    // the bytes of data that were fetched last
    mutable std::string m_block;
};

} // namespace wb::hub
