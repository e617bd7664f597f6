// SPDX-License-Identifier: MIT
#include "core/io/digests/git_blob.h"

#include "core/io/digests/digest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace wb::io {

Result<std::string> gitBlobName(const ByteSource& source, const Progress& progress) {
    constexpr std::uint64_t slabBytes = 1u << 20;
    const std::string head = fmt::format("blob {}", source.size());
    Digest digest(DigestType::Sha1);
    digest.update(std::as_bytes(std::span(head.c_str(), head.size() + 1)));
    std::vector<std::byte> slab(static_cast<std::size_t>(std::min(slabBytes, source.size())));
    for (std::uint64_t at = 0; at < source.size();) {
        WB_TRY(progress.at(at, source.size()));
        const auto piece = std::span(slab).first(static_cast<std::size_t>(std::min(slabBytes, source.size() - at)));
        WB_TRY(source.readAt(at, piece));
        digest.update(piece);
        at += piece.size();
    }
    WB_TRY_ASSIGN(const auto bytes, digest.finish());
    return hexText(bytes);
}

} // namespace wb::io
