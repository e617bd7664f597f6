// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/io/byte_source.h"

#include <span>
#include <vector>

// Compressed streams around whole files (docs/reference/formats.md, "Compressed streams"). The libraries run on
// hostile bytes: in the worker.
namespace wb::stream {

enum class StreamKind : std::uint8_t {
    None,
    Gzip,
    Zlib,
    Bzip2,
    Xz,
    Lzma,  // the older container of the same codec
    Lz4,   // frames
    Zstd,  // frames, without a dictionary
    Joblib // "ZF": a length as text, then zlib; joblib before 0.10
};
inline constexpr StreamKind lastKind = StreamKind::Joblib;

// The compression of a file that starts like this. Zlib and Lzma have almost no signature: a try at unpacking may still fail.
StreamKind sniff(std::span<const std::byte> head);

// "gzip", "zlib" … as `wb scan` prints it.
const char* name(StreamKind kind);

// The whole content, concatenated members included. Malformed where the stream is damaged or ends early, TooLarge beyond `most`
// bytes, Canceled.
Result<std::vector<std::byte>> unpack(const io::ByteSource& source, StreamKind kind, std::uint64_t most, const Progress& progress);

} // namespace wb::stream
