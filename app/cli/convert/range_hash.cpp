// SPDX-License-Identifier: MIT
#include "app/cli/convert/range_hash.h"

#include "core/io/digests/sha256.h"

#include <algorithm>

namespace wb::cli {

Result<std::string> hashOfRange(const io::ByteSource& source, std::uint64_t offset, std::uint64_t bytes) {
    io::Sha256 hash;
    std::vector<std::byte> buffer(1 << 20);
    while (bytes > 0) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(bytes, buffer.size()));
        WB_TRY(source.readAt(offset, part));
        hash.update(part);
        offset += part.size();
        bytes -= part.size();
    }
    WB_TRY_ASSIGN(const io::Sha256Digest digest, hash.finish());
    return io::hexText(digest);
}

} // namespace wb::cli
