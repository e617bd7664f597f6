// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/text.h"
#include "core/formats/findings/findings.h"
#include "core/io/cursor.h"

namespace wb::gguf {

using formats::Findings;
using formats::shown;

// The first 24 bytes (16 in version 1) and the derived layout of the file.
struct Header {
    std::uint32_t version = 3;
    bool bigEndian = false;
    std::uint64_t tensorCount = 0;
    std::uint64_t pairCount = 0;

    // Counts, lengths and dimensions have 64 bits since version 2.
    bool wide() const { return version >= 2; }
    std::uint64_t lengthBytes() const { return wide() ? 8 : 4; }

    // The minimum size of one of each (docs/reference/formats.md, "GGUF"): a count above remaining bytes / minimum
    // is corrupt.
    std::uint64_t minimumPairBytes() const { return wide() ? 13 : 9; }
    std::uint64_t minimumTensorBytes() const { return wide() ? 24 : 20; }
};

// Reads the header and leaves the cursor in the file's byte order, at the first pair.
Result<Header> readHeader(io::Cursor& cursor, const formats::Limits& limits, Findings& findings);

// A count, length or dimension in the width of the version.
Result<std::uint64_t> readLength(io::Cursor& cursor, const Header& header);

} // namespace wb::gguf
