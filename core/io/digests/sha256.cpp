// SPDX-License-Identifier: MIT
#include "core/io/digests/sha256.h"

#include <algorithm>
#include <vector>

namespace wb::io {

Result<Sha256Digest> Sha256::finish() {
    WB_TRY_ASSIGN(const auto bytes, m_digest.finish());
    Sha256Digest digest{};
    std::ranges::copy(bytes, digest.begin());
    return digest;
}

Result<Sha256Digest> hashSha256(const ByteSource& source, const Progress& progress) {
    constexpr std::uint64_t slabBytes = 4u << 20;
    std::vector<std::byte> slab(static_cast<std::size_t>(std::min(slabBytes, source.size())));
    Sha256 hash;
    for (std::uint64_t at = 0; at < source.size();) {
        WB_TRY(progress.at(at, source.size()));
        const auto piece = std::span(slab).first(static_cast<std::size_t>(std::min(slabBytes, source.size() - at)));
        WB_TRY(source.readAt(at, piece));
        hash.update(piece);
        at += piece.size();
    }
    WB_TRY(progress.at(source.size(), source.size()));
    return hash.finish();
}

} // namespace wb::io
