// SPDX-License-Identifier: MIT
#ifdef __APPLE__
#include "core/io/digests/digest.h"

#include <CommonCrypto/CommonDigest.h>

#include <algorithm>
#include <variant>

namespace wb::io {
namespace {

using HashState = std::variant<CC_SHA1_CTX, CC_SHA256_CTX>;

} // namespace

// The library's functions cannot fail: all of them return 1 (CC_SHA256(3cc)).
Digest::Digest(DigestType type) {
    const auto state = std::make_shared<HashState>();
    if (type == DigestType::Sha1) {
        CC_SHA1_Init(&state->emplace<CC_SHA1_CTX>());
    } else {
        CC_SHA256_Init(&state->emplace<CC_SHA256_CTX>());
    }
    m_state = state;
}

void Digest::update(std::span<const std::byte> bytes) {
    constexpr std::size_t largest = 1u << 30; // the call takes a 32-bit count
    auto& state = *static_cast<HashState*>(m_state.get());
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), largest));
        if (auto* const sha1 = std::get_if<CC_SHA1_CTX>(&state)) {
            CC_SHA1_Update(sha1, piece.data(), static_cast<CC_LONG>(piece.size()));
        } else {
            CC_SHA256_Update(std::get_if<CC_SHA256_CTX>(&state), piece.data(), static_cast<CC_LONG>(piece.size()));
        }
        bytes = bytes.subspan(piece.size());
    }
}

Result<std::vector<std::byte>> Digest::finish() {
    auto& state = *static_cast<HashState*>(m_state.get());
    auto* const sha1 = std::get_if<CC_SHA1_CTX>(&state);
    std::vector<std::byte> digest(sha1 ? CC_SHA1_DIGEST_LENGTH : CC_SHA256_DIGEST_LENGTH);
    auto* const data = reinterpret_cast<unsigned char*>(digest.data());
    if (sha1) {
        CC_SHA1_Final(data, sha1);
    } else {
        CC_SHA256_Final(data, std::get_if<CC_SHA256_CTX>(&state));
    }
    return digest;
}

} // namespace wb::io
#endif
