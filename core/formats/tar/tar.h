// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/io/byte_source.h"

#include <span>

// Tar archives (POSIX.1-1988 ustar, the long names of GNU tar and of pax; docs/reference/formats.md, "tar"). Only
// the headers are read; nothing is extracted, and links are never followed.
namespace wb::tar {

struct Member {
    std::string name; // as stored
    io::Extent data;  // in the source
};

// True if a file that starts like this (512 bytes) is one.
bool sniff(std::span<const std::byte> head);

// The regular files in their order. A header that is damaged ends the list with a problem; links, devices and names that point
// outside a folder are problems. TooLarge beyond the caps of zip archives.
Result<std::vector<Member>> readArchive(const io::ByteSource& source, const formats::OpenOptions& options,
                                        formats::Findings& findings);

} // namespace wb::tar
