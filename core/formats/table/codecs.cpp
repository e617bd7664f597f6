// SPDX-License-Identifier: MIT
#include "core/formats/table/table.h"

#include <array>

namespace wb::table {
namespace {

constexpr std::array<std::uint32_t, 256> makeCrcTable() {
    constexpr std::uint32_t polynomial = 0x82F63B78; // reflected
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ polynomial : crc >> 1;
        table[i] = crc;
    }
    return table;
}

class Unsnapper {
public:
    Unsnapper(std::span<const std::byte> in, std::uint64_t most) : m_in(in), m_most(most) {}

    std::optional<std::vector<std::byte>> unpack() {
        std::uint64_t length = 0;
        if (!takeLength(length) || length > m_most) return std::nullopt;
        m_length = length;
        while (!m_in.empty()) {
            const unsigned tag = take();
            if (!((tag & 3) == 0 ? literal(tag >> 2) : copy(tag))) return std::nullopt;
        }
        if (m_out.size() != length) return std::nullopt;
        return std::move(m_out);
    }

private:
    unsigned take() {
        const unsigned byte = std::to_integer<unsigned>(m_in.front());
        m_in = m_in.subspan(1);
        return byte;
    }

    bool takeLength(std::uint64_t& length) {
        for (unsigned shift = 0; shift < 35; shift += 7) {
            if (m_in.empty()) return false;
            const unsigned byte = take();
            length |= std::uint64_t{byte & 0x7F} << shift;
            if (byte < 0x80) return true;
        }
        return false;
    }

    bool number(unsigned bytes, std::uint64_t& value) {
        if (m_in.size() < bytes) return false;
        value = 0;
        for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{take()} << 8 * i;
        return true;
    }

    bool literal(unsigned code) {
        std::uint64_t length = code;
        if (code >= 60 && !number(code - 59, length)) return false;
        ++length;
        if (length > m_in.size() || length > m_length - m_out.size()) return false;
        m_out.insert(m_out.end(), m_in.begin(), m_in.begin() + static_cast<std::ptrdiff_t>(length));
        m_in = m_in.subspan(length);
        return true;
    }

    bool copy(unsigned tag) {
        std::uint64_t length = (tag >> 2) + 1, distance = 0;
        const unsigned kind = tag & 3;
        if (!number(kind == 1 ? 1 : kind == 2 ? 2 : 4, distance)) return false;
        if (kind == 1) {
            length = 4 + (tag >> 2 & 7);
            distance |= std::uint64_t{tag >> 5} << 8;
        }
        if (distance == 0 || distance > m_out.size() || length > m_length - m_out.size()) return false;
        for (std::uint64_t i = 0; i < length; ++i) m_out.push_back(m_out[m_out.size() - distance]); // may overlap itself
        return true;
    }

    std::span<const std::byte> m_in;
    std::uint64_t m_most;
    std::uint64_t m_length = 0;
    std::vector<std::byte> m_out;
};

} // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
    static constexpr auto table = makeCrcTable();
    std::uint32_t crc = 0xFFFFFFFF;
    for (const std::byte byte : bytes) crc = table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xFF] ^ crc >> 8;
    return ~crc;
}

std::uint32_t masked(std::uint32_t crc) { return (crc >> 15 | crc << 17) + 0xA282EAD8u; }

std::optional<std::vector<std::byte>> unsnap(std::span<const std::byte> packed, std::uint64_t most) {
    return Unsnapper(packed, most).unpack();
}

} // namespace wb::table
