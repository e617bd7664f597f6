// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/io/byte_source.h"

#include <memory>

// Zip archives as PyTorch, NumPy and Keras write them (docs/reference/formats.md, "Zip, as PyTorch writes and reads
// it"; PKWARE APPNOTE 6.3; pytorch/pytorch: caffe2/serialize/inline_container.cc). Members are found through the central directory,
// as PyTorch does; what the headers in front of the members say otherwise is a problem and not an error, because loaders differ in
// which of the two they believe.
//
// Reading an archive reads its directory and some 100 bytes a member, never the data. Nothing is extracted to the disk.
namespace wb::zip {

// Compression methods that readMember decodes.
inline constexpr std::uint16_t stored = 0;
inline constexpr std::uint16_t deflated = 8;

// Bits of Member::flags.
inline constexpr std::uint16_t encryptedFlag = 1;

struct Member {
    std::string name; // the bytes of the central directory: neither checked nor decoded
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packedBytes = 0; // as the central directory says …
    std::uint64_t bytes = 0;       // … and after unpacking
    std::uint64_t header = 0;      // position of its local header in the source
    // The packed bytes in the source; of a stored member these are its content. Empty where no header is at that place or the data
    // leave the file; a problem reports it.
    std::optional<io::Extent> data;

    bool isFolder() const { return name.ends_with('/'); }
    bool isStored() const { return method == stored && packedBytes == bytes && data.has_value(); }
};

struct Archive {
    std::vector<Member> members;       // in the order of the central directory
    std::vector<std::uint32_t> byName; // their indices, sorted by their names without regard to case
    std::uint64_t begin = 0;           // where the archive starts in the source: not 0 where something stands before it
    std::uint64_t directory = 0;       // where the central directory starts …
    std::uint64_t end = 0;             // … and where the archive ends, its comment included
    std::vector<io::Extent> gaps;      // runs of bytes that belong to no member, of more than some padding

    // The member of this name; if none exists, one whose name differs by case only, as PyTorch finds it. Null if absent. Of
    // several the last one in the directory, as Python's zipfile takes it.
    const Member* find(std::string_view name) const;
};

// True if a file that starts like this can be an archive; one with something before it is found by readArchive alone.
bool sniff(std::span<const std::byte> head);

// Malformed where no central directory is found, Unsupported for an archive in several files, TooLarge beyond the caps. Everything
// else is a problem: Warning for what loaders may disagree about, Error for overlapping members, names that points outside a folder
// and what cannot be read.
Result<Archive> readArchive(const io::ByteSource& source, const formats::OpenOptions& options, formats::Findings& findings);

// The text before the first '/' of the first member, which is where PyTorch looks for all others; empty where it has none.
std::string_view rootFolder(const Archive& archive);

// The content of a member, at most `maxBytes`, its CRC compared: a difference is a problem. Malformed for data that cannot be
// unpacked, Unsupported for another method than stored and deflated, TooLarge for more than `maxBytes` or for a member whose size
// is implausible for its data. Memory grows with the actual data, not with what the header declares.
//
// Unpacking runs on hostile bytes in zlib: formats call it in the worker (core/worker), but for members that are stored.
Result<std::vector<std::byte>> readMember(const io::ByteSource& source, const Member& member, std::uint64_t maxBytes,
                                          formats::Findings& findings);

// A stored member as its own source, without copying. The member has `data`.
std::shared_ptr<io::ByteSource> storedMember(std::shared_ptr<const io::ByteSource> source, const Member& member);

// "bzip2", "LZMA" and so on, as people call a compression method; "method 7" where APPNOTE 4.4.5 has no name in use for it.
std::string methodText(std::uint16_t method);

// The CRC-32 of zip (ISO 3309), continued from `crc`; 0 to start with.
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes);
namespace scalar {
std::uint32_t crc32(std::uint32_t crc, std::span<const std::byte> bytes); // zlib's
}

} // namespace wb::zip
