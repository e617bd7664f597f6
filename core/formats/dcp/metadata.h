// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/torch/tensor_value.h"
#include "core/io/byte_source.h"
#include "core/formats/options.h"
#include "core/model/danger.h"
#include "core/tensor/shape.h"

#include <map>

// The file `.metadata` of a distributed checkpoint: one pickle that maps boxes of tensors to bytes of files
// (pytorch/pytorch: torch/distributed/checkpoint/metadata.py, filesystem.py). Classes are recognized by their names: their modules
// differ between versions.
namespace wb::dcp {

// No real checkpoint has more tensors or slices; reading stops there.
inline constexpr std::size_t maxRecords = 1'000'000;

struct Chunk {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint64_t> sizes;
};

struct TensorRecord {
    std::string name; // valid UTF-8
    torch::ElementType type;
    Shape size;
    std::vector<Chunk> chunks;
};

// Consecutive bytes of a data file, a complete archive of torch.save: one chunk of a tensor, or an object.
struct SliceRecord {
    std::string name;
    std::optional<std::vector<std::uint64_t>> offsets; // of the chunk; empty: an object
    std::string file;                                  // as written, never opened by this name
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool isTransformed = false; // compressed or encrypted
};

struct PathStep {
    std::string key;
    bool isIndex = false; // a position in a list
};

struct MetadataFile {
    std::vector<TensorRecord> tensors;
    std::vector<std::string> objects;
    std::vector<SliceRecord> slices;
    std::map<std::string, std::vector<PathStep>, std::less<>>
        paths; // where a name was in the nested dictionaries; absent: its parts
    std::optional<std::string> version;
    bool isIncomplete = false; // broken, or beyond maxRecords
};

// Malformed where the pickle is not of this class. Adds what loading it would do to `danger`.
Result<MetadataFile> readMetadata(const io::ByteSource& source, const formats::OpenOptions& options, Danger& danger);

} // namespace wb::dcp
