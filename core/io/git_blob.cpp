// SPDX-License-Identifier: MIT
#include "core/io/git_blob.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace wb::io {

Result<std::string> gitBlobName(const ByteSource& source, const Progress& progress) {
    constexpr std::uint64_t slabBytes = 1u << 20;
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    const std::string head = fmt::format("blob {}", source.size());
    bool isGood = context && EVP_DigestInit_ex(context.get(), EVP_sha1(), nullptr) == 1 &&
                  EVP_DigestUpdate(context.get(), head.c_str(), head.size() + 1) == 1;
    std::vector<std::byte> slab(static_cast<std::size_t>(std::min(slabBytes, source.size())));
    for (std::uint64_t at = 0; at < source.size() && isGood;) {
        WB_TRY(progress.at(at, source.size()));
        const auto piece = std::span(slab).first(static_cast<std::size_t>(std::min(slabBytes, source.size() - at)));
        WB_TRY(source.readAt(at, piece));
        isGood = EVP_DigestUpdate(context.get(), piece.data(), piece.size()) == 1;
        at += piece.size();
    }
    std::array<unsigned char, 20> digest{};
    if (!isGood || EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1)
        return fail(ErrorCode::Internal, Reason("io.git_checksum"),
                    WB_TEXT("Cannot compute the SHA-1 checksum: OpenSSL failed; check its installation."));
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

} // namespace wb::io
