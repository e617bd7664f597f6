// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/model/model.h"

namespace wb::safetensors {

using formats::Findings;
using formats::shown;

// data_offsets: bytes from the first byte after the header.
struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    friend auto operator<=>(const Range&, const Range&) = default;
};

// One file's header.
struct Header {
    std::vector<TensorInfo> tensors; // in stored order; offset, bytes and unavailable are checkLayout's work
    std::vector<Range> ranges;       // of each tensor
    std::optional<Value> metadata;   // __metadata__
};

// Reads and checks the header of one file; what can be lived with goes into `findings`.
Result<Header> readHeader(const io::ByteSource& source, const formats::OpenOptions& options, Findings& findings);

// The steps of readHeader, in their order. Positions in sentences are bytes of the file.
Result<std::string> readHeaderText(const io::ByteSource& source, const formats::Limits& limits, const Findings& findings);
Result<Header> parseHeader(std::string_view text, const formats::Limits& limits, Findings& findings);
Result<void> checkNames(const Header& header, Findings& findings);
Result<void> checkLayout(Header& header, std::uint64_t dataStart, std::uint64_t fileSize, Findings& findings);

// The first byte of the header's text: after its length.
inline constexpr std::uint64_t textStart = 8;

} // namespace wb::safetensors
