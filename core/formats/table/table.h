// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/io/byte_source.h"

#include <functional>
#include <span>
#include <string>

// Sorted tables, the containers of TensorFlow checkpoints (tensorflow/tensorflow: tsl/lib/io/table.cc, format.cc;
// docs/reference/formats.md, "Sorted table"): blocks of keys in ascending order that share their beginnings, an
// index block that leads to them, a footer of 48 bytes.
namespace wb::table {

// Whether the last bytes of a file are those of a table.
bool sniff(std::span<const std::byte> tail);

struct Entry {
    std::string_view key;             // lives as long as the call it is given to
    std::span<const std::byte> value; // the same
};

// Visits the entries in their order. Blocks are checked against their CRC and unpacked (snappy); a damaged block is a problem and
// its entries are omitted, or the error in the strict view. Malformed where footer or index cannot be read; TooLarge, Canceled,
// and what `visit` fails with.
Result<void> eachEntry(const io::ByteSource& source, formats::Findings& findings, const Progress& progress,
                       const std::function<Result<void>(const Entry& entry)>& visit);

// CRC-32C (Castagnoli) of the bytes, and the form in which tables and bundles store it.
std::uint32_t crc32c(std::span<const std::byte> bytes);
std::uint32_t masked(std::uint32_t crc);

// The data of a snappy stream; empty where it is damaged or claims more than `most` bytes (google/snappy:
// format_description.txt).
std::optional<std::vector<std::byte>> unsnap(std::span<const std::byte> packed, std::uint64_t most);

} // namespace wb::table
