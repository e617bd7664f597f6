// SPDX-License-Identifier: MIT
#include "core/io/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>

namespace wb::io {

Sha256::Sha256() : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    m_good = m_context && EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) == 1;
}

void Sha256::update(std::span<const std::byte> bytes) {
    m_good = m_good && EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1;
}

Result<Sha256Digest> Sha256::finish() {
    Sha256Digest digest;
    if (!m_good || EVP_DigestFinal_ex(m_context.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr) != 1)
        return fail(ErrorCode::Internal, Reason("io.checksum"),
                    WB_TEXT("Cannot compute the SHA-256 checksum: OpenSSL failed; check its installation."));
    return digest;
}

std::string hexText(const Sha256Digest& digest) {
    std::string text;
    for (const std::byte byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return text;
}

Result<Sha256Digest> sha256Of(const ByteSource& source, const Progress& progress) {
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
