// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/findings/findings.h"
#include "core/io/random_reader.h"
#include "core/model/value.h"
#include "core/tensor/dtype.h"

#include <functional>
#include <string>
#include <vector>

// HDF5 files (HDFGroup/hdf5: "HDF5 File Format Specification Version 3.0"; docs/reference/formats.md, "HDF5 through
// libhdf5"), read only, by our own reader that runs in the worker: superblocks 0 to 3; groups as symbol tables, as links in
// the object header and as links in a fractal heap; datasets that are contiguous, compact or chunked, with the filters deflate,
// shuffle and fletcher32; attributes of numbers and texts. It follows hard links only, opens no other file, and loads no filter:
// other features are named and their values are unavailable.
namespace wb::hdf5 {

bool sniff(std::span<const std::byte> head); // at 0, or after a user block at 512, 1024 or 2048

// The type of an element.
struct Type {
    Dtype dtype = Dtype::Unknown;
    std::string text;        // of an Unknown one: "STRING", "compound" …
    std::uint64_t bytes = 0; // of one element
    bool isBigEndian = false;
    bool isText = false;     // of fixed length …
    bool isLongText = false; // … or in the global heap
    bool isOpaque = false;
};

struct Filter {
    std::uint32_t id = 0;
    std::uint32_t firstValue = 0; // of shuffle the bytes of an element
    std::string name;
};

inline constexpr std::uint32_t deflateFilter = 1, shuffleFilter = 2, fletcherFilter = 3;

struct Chunk {
    std::uint64_t position = 0; // in the file
    std::uint64_t bytes = 0;
    std::uint32_t skipped = 0;         // bit i: filter i was not applied
    std::vector<std::uint64_t> offset; // of its first element, one number an axis
};

struct Dataset {
    Type type;
    std::vector<std::uint64_t> shape;
    enum class Layout : std::uint8_t { None, Contiguous, Compact, Chunked } layout = Layout::None;
    std::uint64_t position = 0; // of contiguous and compact values in the file; 0 where none were written
    std::uint64_t bytes = 0;
    std::vector<std::uint64_t> chunkShape;
    std::vector<Filter> filters;
    std::vector<Chunk> chunks;
    std::vector<std::byte> fill; // one element; empty: zeros
    std::string why;             // why its values cannot be read: a fragment of English; empty where they can
};

struct Attribute {
    std::string name;
    Value value;
};

// One object under one name. An object with several names is visited under each of them.
struct Object {
    std::string path; // "group/inner"; the root is ""
    std::uint64_t address = 0;
    bool isGroup = false;
    std::vector<Attribute> attributes;
    Dataset dataset; // where it is no group
};

struct Caps {
    std::uint64_t objects = 4'000'000;
    std::uint64_t chunks = 16'000'000;
    std::uint64_t attributeBytes = 64 << 20;
    std::uint64_t attributes = 4096; // of one object
    unsigned depth = 64;
};

// Visits every object that hard links lead to, groups before what they hold, each group once. `findings` gets what is damaged and
// which links are not followed. Malformed where there is no root; Canceled, TooLarge.
Result<void> walk(const io::ByteSource& source, formats::Findings& findings, const Caps& caps, const Progress& progress,
                  const std::function<void(const Object& object)>& visit);

// What decodes the chunks of a dataset, as bytes for unpack().
std::vector<std::byte> unpackSpec(const Dataset& dataset);

// Fills `out` with the bytes from `offset` on of the values in row-major, little-endian order. Malformed where a chunk does not
// unpack to its size. Runs zlib on hostile bytes: in the worker.
Result<void> unpack(const io::ByteSource& source, std::span<const std::byte> spec, std::uint64_t offset, std::span<std::byte> out);

} // namespace wb::hdf5
