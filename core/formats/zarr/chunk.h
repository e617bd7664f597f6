// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/zarr/array_meta.h"

// Inside the room: from the bytes of a chunk to its elements.
namespace wb::zarr {

// The elements of a chunk of `shape`, row-major and little-endian. Malformed where the bytes are damaged, Unsupported for a codec
// that is not known. `fill` is one element for what a shard leaves out.
Result<std::vector<std::byte>> decodeChunk(std::vector<std::byte> bytes, const std::vector<Codec>& codecs,
                                           const std::vector<std::uint64_t>& shape, std::uint64_t width,
                                           std::span<const std::byte> fill, const std::string& name, unsigned depth = 0);

// The content of a blosc buffer of at most `most` bytes (Blosc/c-blosc: README_CHUNK_FORMAT.rst): LZ4, zlib and Zstandard,
// shuffled by bytes or bits.
Result<std::vector<std::byte>> unpackBlosc(std::span<const std::byte> bytes, std::uint64_t most, const std::string& name);

// Copies the box of `extent` elements from `from` of `shape` at `fromAt` into `to` of `toShape` at `toAt`; both row-major with
// elements of `width` bytes. The boxes are inside.
struct Box {
    std::span<const std::uint64_t> shape;
    std::vector<std::uint64_t> at;
};
void copyBox(std::span<const std::byte> from, const Box& source, std::span<std::byte> to, const Box& target,
             const std::vector<std::uint64_t>& extent, std::uint64_t width);

// Moves to the next coordinates below `sides`, the last axis first; false after the last ones.
bool nextPlace(std::vector<std::uint64_t>& at, std::span<const std::uint64_t> sides);

} // namespace wb::zarr
