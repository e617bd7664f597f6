// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wb::zip {

// Writes a zip archive of stored members front to back, as a stream: sizes and checksums follow the data of each member in a
// descriptor (PKWARE APPNOTE 4.3.9), with 64-bit sizes for members from 4 GiB on. Not thread-safe.
class Writer {
public:
    using Sink = std::function<Result<void>(std::span<const std::byte>)>;

    explicit Writer(Sink sink) : m_sink(std::move(sink)) {}

    // Starts a member of exactly `bytes` bytes. Names are UTF-8.
    Result<void> begin(const std::string& name, std::uint64_t bytes);
    Result<void> write(std::span<const std::byte> bytes);
    Result<void> end();

    // The central directory; called once, last.
    Result<void> finish();

private:
    struct Entry {
        std::string name;
        std::uint64_t header = 0; // position
        std::uint64_t bytes = 0;
        std::uint32_t crc = 0;

        bool isWide() const;
    };

    Result<void> put(const std::string& record);
    static std::string centralRecord(const Entry& entry);

    Sink m_sink;
    std::vector<Entry> m_entries; // the last one is being written
    std::uint64_t m_position = 0;
};

} // namespace wb::zip
