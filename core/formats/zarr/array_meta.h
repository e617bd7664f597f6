// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/index/index.h"
#include "core/model/value.h"

#include <optional>
#include <string>
#include <vector>

// Inside the room: the description of an array (zarr-developers/zarr-specs: docs/v2/v2.0.rst, docs/v3/core/index.rst).
namespace wb::zarr {

// One step from the elements of a chunk to its bytes, or back.
struct Codec {
    enum class Kind : std::uint8_t { Bytes, Transpose, Gzip, Zlib, Zstd, Bzip2, Lz4, Blosc, Crc32c, Sharding, Unknown };
    Kind kind = Kind::Unknown;
    bool isBigEndian = false;              // Bytes
    std::vector<std::uint32_t> order = {}; // Transpose: axis i of the stored array is axis order[i]
    std::vector<std::uint64_t> inner = {}; // Sharding: the shape of the chunks inside …
    std::vector<Codec> codecs = {};        // … their codecs …
    std::uint32_t indexTail = 0;           // … the bytes of checksum after the index …
    bool isIndexFirst = false;             // … and where it is
    std::string name = {};                 // Unknown: as named in the file
};

struct ArrayMeta {
    std::vector<std::uint64_t> shape;
    std::vector<std::uint64_t> chunk; // as many sides as the shape has, none 0
    Dtype dtype = Dtype::Unknown;
    std::string typeText;        // of an Unknown one
    std::vector<Codec> codecs;   // in the order of writing
    std::vector<std::byte> fill; // one element; empty: zeros
    std::string keyPrefix;       // "c" where keys are c/0/1, "" where they are 0.1
    char separator = '.';
};

// Bytes of an element; 0 for a type that no array has.
std::uint64_t elementBytes(Dtype dtype);

// Of .zarray (version 2) or of zarr.json (version 3) with node_type "array"; empty where a member is missing or invalid.
std::optional<ArrayMeta> readMeta(const ValueObject& object, bool isVersion3);

// The first codec that is not supported; empty where all are.
std::optional<std::string> unsupportedCodec(const std::vector<Codec>& codecs);

// Chunks along each axis; empty where there are more than a model may have.
std::optional<std::vector<std::uint64_t>> chunkGrid(const ArrayMeta& meta);

// The key of a chunk.
std::string chunkKey(const ArrayMeta& meta, const std::vector<std::uint64_t>& at);

void writeMeta(worker::WireWriter& out, const ArrayMeta& meta);
ArrayMeta readMetaMessage(worker::WireReader& in);

inline constexpr unsigned maxCodecDepth = 3; // shards in shards

} // namespace wb::zarr
