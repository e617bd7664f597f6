// SPDX-License-Identifier: MIT
#include "app/cli/inspect/tensor_hash.h"

#include "core/io/digests/sha256.h"

#include <algorithm>

namespace wb::cli {
namespace {

// Of two F4 the first is the low half of the byte.
std::vector<std::byte> oneByteEach(const std::vector<std::byte>& packed) {
    std::vector<std::byte> bytes;
    bytes.reserve(2 * packed.size());
    for (const std::byte pair : packed) {
        bytes.push_back(pair & std::byte{15});
        bytes.push_back(pair >> 4);
    }
    return bytes;
}

} // namespace

Result<std::string> hashOfValues(const TensorReader& reader, const Progress& progress) {
    constexpr std::uint64_t slabElements = 1 << 20; // a multiple of every block
    io::Sha256 hash;
    std::vector<std::byte> slab;
    const std::uint64_t elements = reader.elements();
    for (std::uint64_t first = 0; first < elements; first += slabElements) {
        WB_TRY(progress.at(reader.byteCount(first), reader.byteCount(elements)));
        const std::uint64_t count = std::min(slabElements, elements - first);
        slab.resize(reader.byteCount(count));
        WB_TRY(reader.readRaw(first, count, slab));
        hash.update(reader.dtype() == Dtype::F4 ? oneByteEach(slab) : slab);
    }
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

} // namespace wb::cli
