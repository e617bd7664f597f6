// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/zip/zip.h"

// The records of a zip archive, each read as its bytes say; what they mean together is archive.cpp's work.
namespace wb::zip {

using formats::Findings;
using formats::shown;

// Sizes of the fixed parts.
inline constexpr std::uint64_t localBytes = 30;
inline constexpr std::uint64_t centralBytes = 46;
inline constexpr std::uint64_t endBytes = 22;
inline constexpr std::uint64_t end64Bytes = 56;
inline constexpr std::uint64_t locatorBytes = 20;

// The end record, the 64-bit one where there is one.
struct End {
    std::uint64_t position = 0;   // of the first of the end records in the source
    std::uint64_t archiveEnd = 0; // after the comment
    std::uint64_t members = 0;
    std::uint64_t directoryBytes = 0;
    std::uint64_t directoryOffset = 0; // from the beginning of the archive, as stored
    std::uint64_t begin = 0;           // of the archive in the source
    bool isDivided = false;            // into several files
    bool differs64 = false;            // the two end records contradict each other
};

// The end of the archive and whether there are several that could be it. Malformed if none exists.
struct FoundEnd {
    End end;
    bool isAmbiguous = false;
};
Result<FoundEnd> findEnd(const io::ByteSource& source, const Findings& findings);

// The header before a member's data.
struct LocalHeader {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packedBytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t dataOffset = 0; // in the source
};
// Empty where no such header is at that position; an Error only where the file cannot be read.
Result<std::optional<LocalHeader>> readLocalHeader(const io::ByteSource& source, std::uint64_t position, std::size_t nameBytes);

// Reads the next entry of the central directory at `position` and moves it on; empty where there is no whole entry.
Result<std::optional<Member>> readCentralEntry(std::span<const std::byte> directory, std::uint64_t& position);

} // namespace wb::zip
