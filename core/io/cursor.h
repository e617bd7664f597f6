// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace wb::io {

// Reads a source forwards through a window that grows from 64 KiB to 1 MiB, so that a parser can request a few bytes at a time and
// the file still sees few reads; nothing is ever read twice or as a whole. Skipped bytes beyond the window are skipped without
// reading.
//
// Every function that would pass the end of the source fails with Malformed and leaves the position alone. The source must outlive
// the cursor. Not thread-safe.
class Cursor {
public:
    explicit Cursor(const ByteSource& source, std::uint64_t position = 0, bool bigEndian = false)
        : m_source(&source), m_position(position), m_windowStart(position), m_bigEndian(bigEndian) {}

    std::uint64_t position() const { return m_position; }
    std::uint64_t size() const { return m_source->size(); }
    std::uint64_t remaining() const { return m_position < size() ? size() - m_position : 0; }
    bool bigEndian() const { return m_bigEndian; }
    void setBigEndian(bool bigEndian) { m_bigEndian = bigEndian; }

    // Whether `count` items of at least `minimumBytes` (above 0) can still follow: to be asked before any loop or allocation that a
    // count from the file drives.
    bool canHold(std::uint64_t count, std::uint64_t minimumBytes) const { return count <= remaining() / minimumBytes; }

    // One number in the byte order of the cursor.
    template <typename T>
        requires std::is_arithmetic_v<T>
    Result<T> read() {
        std::array<std::byte, sizeof(T)> bytes;
        if (!inWindow(sizeof(T))) {
            WB_TRY(fill(sizeof(T)));
        }
        std::memcpy(bytes.data(), m_window.data() + (m_position - m_windowStart), sizeof(T));
        m_position += sizeof(T);
        if (m_bigEndian != (std::endian::native == std::endian::big)) std::ranges::reverse(bytes);
        return std::bit_cast<T>(bytes);
    }

    // Fills `out` and moves on; long reads go past the window.
    Result<void> read(std::span<std::byte> out);

    Result<void> skip(std::uint64_t count) {
        if (count > remaining()) return endsEarly(count);
        m_position += count;
        return {};
    }

private:
    bool inWindow(std::uint64_t count) const {
        const std::uint64_t used = m_position - m_windowStart;
        return used <= m_window.size() && count <= m_window.size() - used;
    }
    Result<void> fill(std::uint64_t need);
    std::unexpected<Error> endsEarly(std::uint64_t need) const;

    const ByteSource* m_source;
    std::uint64_t m_position;
    std::uint64_t m_windowStart;
    std::vector<std::byte> m_window;
    std::uint64_t m_nextWindow = 64 << 10;
    bool m_bigEndian;
};

} // namespace wb::io
