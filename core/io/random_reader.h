// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace wb::io {

// Reads numbers at any offset of a source, for structures whose parts lead to each other: through a few windows of 16 KiB, so that
// the content together is read once. After the first place outside, or the first failing read, good() is false and everything reads
// as 0, so that a parser may continue to its end and ask once; a loop that a count from the file drives must still be bounded by
// canHold(). The source must outlive it. Not thread-safe.
class RandomReader {
public:
    explicit RandomReader(const ByteSource& source) : m_source(source) {}

    std::uint64_t size() const { return m_source.size(); }
    const std::string& name() const { return m_source.name(); }
    bool good() const { return m_good; }
    void reject() { m_good = false; } // the read value is invalid

    // Whether something was wrong since the last call; forgets it, so that the next part can be read, unless the source fails.
    bool takeFault() {
        const bool wasBad = !m_good;
        m_good = !m_failure;
        return wasBad;
    }
    const std::optional<Error>& failure() const { return m_failure; } // of the source

    // Whether `count` items of `bytes` bytes each (above 0) can stand from `position` on.
    bool canHold(std::uint64_t position, std::uint64_t count, std::uint64_t bytes) const {
        return position <= size() && count <= (size() - position) / bytes;
    }

    // One little-endian number.
    template <class T>
        requires std::is_arithmetic_v<T>
    T read(std::uint64_t position) {
        std::array<std::byte, sizeof(T)> bytes{};
        fill(position, bytes);
        if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(bytes);
        return std::bit_cast<T>(bytes);
    }

    // An unsigned number of 1 to 8 bytes.
    std::uint64_t readNumber(std::uint64_t position, unsigned bytes);

    void fill(std::uint64_t position, std::span<std::byte> out); // leaves zeros where it cannot

    // So many bytes as text; empty where they leave the source or are more than `maximum`, which rejects.
    std::string text(std::uint64_t position, std::uint64_t length, std::uint64_t maximum);

    bool hasText(std::uint64_t position, std::string_view expected); // a signature; a place outside is false and no fault

private:
    struct Window {
        std::uint64_t begin = 0;
        std::vector<std::byte> bytes;
    };

    const ByteSource& m_source;
    std::array<Window, 8> m_windows;
    std::size_t m_oldest = 0;
    bool m_good = true;
    std::optional<Error> m_failure;
};

} // namespace wb::io
