// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"
#include "core/model/value.h"
#include "core/tensor/dtype.h"
#include "core/tensor/shape.h"

#include <string>
#include <string_view>
#include <vector>

// Writing GGUF version 3 (docs/reference/gguf.md, "Container" and "Whole files equal to the reference tool's output"): everything
// before the tensor data as one string, and where each tensor's data go. The data are the caller's to write.
namespace wb::gguf {

inline constexpr std::uint64_t writtenAlignment = 32; // what the reference tool always uses

// One pair of a file as it is stored: key, value type and value, ready to be copied into another file.
struct StoredPair {
    std::string key;
    std::string bytes;
};

// All pairs of a little-endian file of version 2 or 3, in stored order, truth values as 0 and 1. Fails as the strict reader does,
// and with TooLarge where they exceed 256 MiB together.
Result<std::vector<StoredPair>> readStoredPairs(const io::ByteSource& source);

StoredPair makePair(std::string_view key, std::uint16_t value);
StoredPair makePair(std::string_view key, std::uint32_t value);
StoredPair makePair(std::string_view key, std::int32_t value);
StoredPair makePair(std::string_view key, float value);
StoredPair makePair(std::string_view key, std::string_view value);
StoredPair makeTruthPair(std::string_view key, bool value); // not an overload: a literal would convert to bool

// Removes a pair of this key, if there is one.
void removePair(std::vector<StoredPair>& pairs, std::string_view key);

// Removes a pair of the same key and appends the new one: how the reference sets a key that may exist.
void setPair(std::vector<StoredPair>& pairs, StoredPair pair);

struct WrittenTensor {
    std::string name;
    Shape shape;
    Dtype dtype;
    bool keepsOnes = false; // outer dimensions of 1 are stored too, as the reference's converter does and its quantizer does not
};

struct Layout {
    std::string header;                 // magic … tensor infos, padded to the alignment
    std::vector<std::uint64_t> offsets; // of each tensor's data, from the first byte of the file
    std::uint64_t fileBytes = 0;        // each tensor's data are padded with zeros to the alignment, the last one's too
};

// TooLarge where sizes overflow, Unsupported for a type or a row GGUF cannot hold, Invalid for a name of 64 bytes or more.
// `alignment`: a power of two, which the pairs declare if it is not 32.
Result<Layout> layOut(const std::vector<StoredPair>& pairs, const std::vector<WrittenTensor>& tensors,
                      std::uint64_t alignment = writtenAlignment);

} // namespace wb::gguf
