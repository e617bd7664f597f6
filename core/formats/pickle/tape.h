// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace wb::pickle {

// The bytes of a pickle on their way through the machine: read forwards as they are needed, so that the data after a pickle in its
// file (gigabytes of storages) are skipped, and kept, so that texts can be inspected later. Long arguments are passed over unread.
// Not thread-safe; the source must outlive it.
class Tape {
public:
    explicit Tape(const io::ByteSource& source) : m_source(source) {}

    std::uint64_t size() const { return m_source.size(); }
    const io::ByteSource& source() const { return m_source; }
    std::uint64_t position() const { return m_begin + static_cast<std::uint64_t>(m_at - m_first); }
    std::uint64_t remaining() const { return size() - position(); }

    void seek(std::uint64_t position); // at most size()

    // Whether `count` more bytes can be read at at(); loads them. False at the end of the source, or where it cannot be read.
    bool has(std::uint64_t count) { return static_cast<std::uint64_t>(m_end - m_at) >= count || load(count); }
    const std::byte* at() const { return m_at; }
    std::span<const std::byte> loaded() const { return {m_at, m_end}; } // what can be read at at() without loading
    void advance(std::uint64_t count) { m_at += count; }                // after has(count)

    // Passes over `count` bytes; long runs are not loaded. False where fewer are left.
    bool skip(std::uint64_t count);

    // Bytes that were loaded; empty where they were passed over.
    std::span<const std::byte> view(std::uint64_t offset, std::uint64_t length) const;
    std::string_view text(std::uint64_t offset, std::uint64_t length) const;

    // Why the last has() was false although bytes are left.
    const std::optional<Error>& failure() const { return m_failure; }

private:
    // A run of loaded bytes. Texts point into it, so it never moves once another one follows.
    struct Segment {
        std::uint64_t begin = 0;
        std::vector<std::byte> bytes;
    };

    bool load(std::uint64_t count);
    void enter(std::uint64_t position);
    void rewind(std::uint64_t position);

    const io::ByteSource& m_source;
    std::vector<Segment> m_segments;
    const std::byte* m_first = nullptr; // of the last segment …
    const std::byte* m_at = nullptr;
    const std::byte* m_end = nullptr;
    std::uint64_t m_begin = 0; // … and its position in the source
    std::uint64_t m_kept = 0;
    std::optional<Error> m_failure;
};

} // namespace wb::pickle
