// SPDX-License-Identifier: MIT
#include "app/cli/tensor_hash.h"

#include "core/io/sha256.h"

#include <algorithm>

namespace wb::cli {

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
        hash.update(slab);
    }
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

} // namespace wb::cli
