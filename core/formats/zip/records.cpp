// SPDX-License-Identifier: MIT
#include "core/formats/zip/records.h"

#include "core/base/checked.h"
#include "core/formats/zip/signs.h"
#include "core/tensor/bytes.h"

#include <algorithm>

namespace wb::zip {
namespace {

constexpr std::uint64_t allOnes32 = 0xFFFFFFFF;
constexpr std::uint64_t allOnes16 = 0xFFFF;
constexpr std::uint16_t zip64Field = 1;

std::uint16_t u16(const std::byte* at) { return load<std::uint16_t>(at); }
std::uint32_t u32(const std::byte* at) { return load<std::uint32_t>(at); }
std::uint64_t u64(const std::byte* at) { return load<std::uint64_t>(at); }

// Up to `count` bytes from `position`; fewer at the end of the source.
Result<std::vector<std::byte>> readUpTo(const io::ByteSource& source, std::uint64_t position, std::uint64_t count) {
    std::vector<std::byte> bytes(position < source.size() ? std::min(count, source.size() - position) : 0);
    WB_TRY(source.readAt(std::min(position, source.size()), bytes));
    return bytes;
}

// The content of the extra field with this id; empty if none exists or the fields do not add up.
std::span<const std::byte> extraField(std::span<const std::byte> extra, std::uint16_t id) {
    while (extra.size() >= 4) {
        const std::size_t length = u16(extra.data() + 2);
        if (length > extra.size() - 4) return {};
        if (u16(extra.data()) == id) return extra.subspan(4, length);
        extra = extra.subspan(4 + length);
    }
    return {};
}

// Replaces each value that is all ones by the next one of the 64-bit field, in the order of the format.
void widen(std::span<const std::byte> field, std::initializer_list<std::uint64_t*> values) {
    for (std::uint64_t* value : values) {
        if (*value != allOnes32 || field.size() < 8) continue;
        *value = u64(field.data());
        field = field.subspan(8);
    }
}

Result<bool> hasSign(const io::ByteSource& source, std::uint64_t position, std::uint32_t sign) {
    WB_TRY_ASSIGN(const auto bytes, readUpTo(source, position, 4));
    return bytes.size() == 4 && u32(bytes.data()) == sign;
}

// Where the archive starts if its directory is really in front of `position`; empty where it is not. An offset that is right as it
// stands wins, because that is what PyTorch reads; otherwise data before the archive shift everything, as Python reads it.
Result<std::optional<std::uint64_t>> endBegin(const io::ByteSource& source, const End& end) {
    if (end.directoryBytes > end.position) return std::nullopt;
    const std::uint64_t actual = end.position - end.directoryBytes;
    if (end.members == 0)
        return end.directoryBytes == 0 ? std::optional(actual - std::min(actual, end.directoryOffset)) : std::nullopt;
    WB_TRY_ASSIGN(const bool isThere, hasSign(source, end.directoryOffset, centralSign));
    if (isThere && end.directoryOffset < end.position) return std::uint64_t{0};
    if (end.directoryOffset > actual) return std::nullopt;
    WB_TRY_ASSIGN(const bool isMoved, hasSign(source, actual, centralSign));
    if (!isMoved) return std::nullopt;
    return actual - end.directoryOffset;
}

// Takes the values of the 64-bit end record where a locator in front of the end record leads to one.
Result<void> read64(const io::ByteSource& source, End& end) {
    if (end.position < locatorBytes + end64Bytes) return {};
    WB_TRY_ASSIGN(const auto locator, readUpTo(source, end.position - locatorBytes, locatorBytes));
    if (locator.size() != locatorBytes || u32(locator.data()) != locatorSign) return {};
    // The record stands right before its locator; something in front of the archive may have moved both.
    for (const std::uint64_t position : {u64(locator.data() + 8), end.position - locatorBytes - end64Bytes}) {
        WB_TRY_ASSIGN(const auto record, readUpTo(source, position, end64Bytes));
        if (record.size() != end64Bytes || u32(record.data()) != end64Sign) continue;
        const auto differs = [&](std::uint64_t small, std::uint64_t ones, std::uint64_t wide) {
            return small != ones && small != wide;
        };
        end.differs64 = differs(end.members, allOnes16, u64(record.data() + 32)) ||
                        differs(end.directoryBytes, allOnes32, u64(record.data() + 40)) ||
                        differs(end.directoryOffset, allOnes32, u64(record.data() + 48));
        end.isDivided = u32(record.data() + 16) != 0 || u32(record.data() + 20) != 0;
        end.members = u64(record.data() + 32);
        end.directoryBytes = u64(record.data() + 40);
        end.directoryOffset = u64(record.data() + 48);
        end.position = position;
        return {};
    }
    return {};
}

// The end record at `position`, if it is one whose directory is where it says.
Result<std::optional<End>> readEnd(const io::ByteSource& source, std::uint64_t position, const std::byte* record) {
    if (u32(record) != endSign) return std::nullopt;
    End end;
    end.position = position;
    end.archiveEnd = position + endBytes + u16(record + 20);
    if (end.archiveEnd > source.size()) return std::nullopt;
    const auto isPart = [&](std::size_t at) { return u16(record + at) != 0 && u16(record + at) != allOnes16; };
    end.isDivided = isPart(4) || isPart(6);
    end.members = u16(record + 10);
    end.directoryBytes = u32(record + 12);
    end.directoryOffset = u32(record + 16);
    WB_TRY(read64(source, end));
    if (end.isDivided) return end;
    WB_TRY_ASSIGN(const auto begin, endBegin(source, end));
    if (!begin) return std::nullopt;
    end.begin = *begin;
    return end;
}

} // namespace

Result<FoundEnd> findEnd(const io::ByteSource& source, const Findings& findings) {
    constexpr std::uint64_t searched = endBytes + 65'535; // the longest comment
    constexpr int tried = 64;                             // a file of nothing but signs is not searched to its end
    const std::uint64_t first = source.size() - std::min(source.size(), searched);
    WB_TRY_ASSIGN(const auto tail, readUpTo(source, first, searched));
    std::optional<End> found;
    int left = tried;
    for (std::size_t at = tail.size() < endBytes ? 0 : tail.size() - endBytes + 1; at-- > 0 && left > 0;) {
        if (u32(tail.data() + at) != endSign) continue;
        --left;
        WB_TRY_ASSIGN(const auto end, readEnd(source, first + at, tail.data() + at));
        if (end && found && end->begin == 0) return FoundEnd{*found, true};
        if (end && !found) found = end;
    }
    if (found) return FoundEnd{*found, false};
    return findings.refuse(
        ErrorCode::Malformed, Reason("zip.no_directory"),
        WB_TEXT("{} starts like a zip archive but has no central directory; it is truncated. Download it again."));
}

Result<std::optional<LocalHeader>> readLocalHeader(const io::ByteSource& source, std::uint64_t position, std::size_t nameBytes) {
    // Most headers come with one read: name, a 64-bit field and the padding that PyTorch puts before the data.
    WB_TRY_ASSIGN(auto bytes, readUpTo(source, position, localBytes + nameBytes + 24));
    if (bytes.size() < localBytes || u32(bytes.data()) != localSign) return std::nullopt;
    const std::uint64_t nameLength = u16(bytes.data() + 26);
    const std::uint64_t extraLength = u16(bytes.data() + 28);
    LocalHeader header;
    header.flags = u16(bytes.data() + 6);
    header.method = u16(bytes.data() + 8);
    header.crc = u32(bytes.data() + 14);
    header.packedBytes = u32(bytes.data() + 18);
    header.bytes = u32(bytes.data() + 22);
    header.dataOffset = position + localBytes + nameLength + extraLength;
    const bool isWide = header.packedBytes == allOnes32 || header.bytes == allOnes32;
    const std::uint64_t needed = localBytes + nameLength + (isWide ? extraLength : 0);
    if (bytes.size() < needed) {
        WB_TRY_ASSIGN(bytes, readUpTo(source, position, needed));
    }
    if (bytes.size() < needed) return std::nullopt;
    header.name.assign(reinterpret_cast<const char*>(bytes.data() + localBytes), nameLength);
    if (isWide)
        widen(extraField(std::span(bytes).subspan(localBytes + nameLength, extraLength), zip64Field),
              {&header.bytes, &header.packedBytes});
    return header;
}

Result<std::optional<Member>> readCentralEntry(std::span<const std::byte> directory, std::uint64_t& position) {
    const auto rest = directory.subspan(position);
    if (rest.size() < centralBytes || u32(rest.data()) != centralSign) return std::nullopt;
    const std::byte* at = rest.data();
    const std::uint64_t nameLength = u16(at + 28);
    const std::uint64_t extraLength = u16(at + 30);
    const std::uint64_t length = centralBytes + nameLength + extraLength + u16(at + 32);
    if (length > rest.size()) return std::nullopt;
    Member member;
    member.flags = u16(at + 8);
    member.method = u16(at + 10);
    member.crc = u32(at + 16);
    member.packedBytes = u32(at + 20);
    member.bytes = u32(at + 24);
    member.header = u32(at + 42);
    member.name.assign(reinterpret_cast<const char*>(at + centralBytes), nameLength);
    widen(extraField(rest.subspan(centralBytes + nameLength, extraLength), zip64Field),
          {&member.bytes, &member.packedBytes, &member.header});
    position += length;
    return member;
}

} // namespace wb::zip
