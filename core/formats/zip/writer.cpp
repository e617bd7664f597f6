// SPDX-License-Identifier: MIT
#include "core/formats/zip/writer.h"

#include "core/formats/zip/zip.h"

#include <algorithm>

namespace wb::zip {
namespace {

constexpr std::uint64_t narrowLimit = 0xFFFFFFFF;
constexpr std::uint16_t plainVersion = 20, wideVersion = 45;
constexpr std::uint16_t flags = 1 << 3 | 1 << 11; // sizes follow the data; names are UTF-8
constexpr std::uint16_t january1980 = 1 << 5 | 1; // a fixed date, so that equal content gives equal files

template <typename T>
void add(std::string& record, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) record += static_cast<char>(value >> (8 * i) & 0xFF);
}

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(std::min(value, narrowLimit)); }

void addCommon(std::string& record, bool isWide) {
    add(record, isWide ? wideVersion : plainVersion);
    add(record, flags);
    add(record, stored);
    add(record, std::uint16_t{0});
    add(record, january1980);
}

} // namespace

bool Writer::Entry::isWide() const { return bytes >= narrowLimit || header >= narrowLimit; }

Result<void> Writer::put(const std::string& record) {
    m_position += record.size();
    return m_sink(std::as_bytes(std::span(record)));
}

Result<void> Writer::begin(const std::string& name, std::uint64_t bytes) {
    m_entries.push_back({name, m_position, bytes, 0});
    const bool isWide = bytes >= narrowLimit;
    std::string record;
    add(record, std::uint32_t{0x04034B50});
    addCommon(record, isWide);
    add(record, std::uint32_t{0}); // checksum and sizes follow
    add(record, isWide ? std::uint32_t{0xFFFFFFFF} : std::uint32_t{0});
    add(record, isWide ? std::uint32_t{0xFFFFFFFF} : std::uint32_t{0});
    add(record, static_cast<std::uint16_t>(name.size()));
    add(record, static_cast<std::uint16_t>(isWide ? 20 : 0));
    record += name;
    if (isWide) {
        add(record, std::uint16_t{1});
        add(record, std::uint16_t{16});
        add(record, std::uint64_t{0});
        add(record, std::uint64_t{0});
    }
    return put(record);
}

Result<void> Writer::write(std::span<const std::byte> bytes) {
    m_entries.back().crc = crc32(m_entries.back().crc, bytes);
    m_position += bytes.size();
    return m_sink(bytes);
}

Result<void> Writer::end() {
    const Entry& entry = m_entries.back();
    std::string record;
    add(record, std::uint32_t{0x08074B50});
    add(record, entry.crc);
    for (int size = 0; size < 2; ++size) {
        if (entry.bytes >= narrowLimit) add(record, entry.bytes);
        else add(record, static_cast<std::uint32_t>(entry.bytes));
    }
    return put(record);
}

std::string Writer::centralRecord(const Entry& entry) {
    std::string record;
    add(record, std::uint32_t{0x02014B50});
    add(record, entry.isWide() ? wideVersion : plainVersion);
    addCommon(record, entry.isWide());
    add(record, entry.crc);
    add(record, entry.isWide() ? std::uint32_t{0xFFFFFFFF} : narrow(entry.bytes));
    add(record, entry.isWide() ? std::uint32_t{0xFFFFFFFF} : narrow(entry.bytes));
    add(record, static_cast<std::uint16_t>(entry.name.size()));
    add(record, static_cast<std::uint16_t>(entry.isWide() ? 28 : 0));
    add(record, std::uint16_t{0}); // comment
    add(record, std::uint16_t{0}); // disk
    add(record, std::uint16_t{0}); // internal attributes
    add(record, std::uint32_t{0}); // external attributes
    add(record, entry.isWide() ? std::uint32_t{0xFFFFFFFF} : narrow(entry.header));
    record += entry.name;
    if (!entry.isWide()) return record;
    add(record, std::uint16_t{1});
    add(record, std::uint16_t{24});
    add(record, entry.bytes);
    add(record, entry.bytes);
    add(record, entry.header);
    return record;
}

Result<void> Writer::finish() {
    const std::uint64_t directory = m_position, count = m_entries.size();
    for (const Entry& entry : m_entries) WB_TRY(put(centralRecord(entry)));
    const std::uint64_t bytes = m_position - directory, end = m_position;
    std::string record;
    if (directory >= narrowLimit || bytes >= narrowLimit || count >= 0xFFFF) {
        add(record, std::uint32_t{0x06064B50});
        add(record, std::uint64_t{44}); // of the rest of this record
        add(record, wideVersion), add(record, wideVersion);
        add(record, std::uint32_t{0}), add(record, std::uint32_t{0}); // disks
        add(record, count), add(record, count), add(record, bytes), add(record, directory);
        add(record, std::uint32_t{0x07064B50});
        add(record, std::uint32_t{0});
        add(record, end);
        add(record, std::uint32_t{1});
    }
    add(record, std::uint32_t{0x06054B50});
    add(record, std::uint16_t{0}), add(record, std::uint16_t{0});
    const auto shown = static_cast<std::uint16_t>(std::min<std::uint64_t>(count, 0xFFFF));
    add(record, shown), add(record, shown);
    add(record, narrow(bytes)), add(record, narrow(directory));
    add(record, std::uint16_t{0});
    return put(record);
}

} // namespace wb::zip
