// SPDX-License-Identifier: MIT
#ifdef _WIN32
#include "core/io/digests/digest.h"
#include "core/io/digests/digest_failure.h"

#include <algorithm>

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <bcrypt.h>

namespace wb::io {
namespace {

struct HashState {
    BCRYPT_ALG_HANDLE provider = nullptr;
    BCRYPT_HASH_HANDLE hash = nullptr;
    ULONG bytes = 0;

    ~HashState() {
        if (hash) ::BCryptDestroyHash(hash);
        if (provider) ::BCryptCloseAlgorithmProvider(provider, 0);
    }
};

} // namespace

Digest::Digest(DigestType type) {
    const auto state = std::make_shared<HashState>();
    const wchar_t* const name = type == DigestType::Sha1 ? BCRYPT_SHA1_ALGORITHM : BCRYPT_SHA256_ALGORITHM;
    state->bytes = type == DigestType::Sha1 ? 20 : 32;
    if (!BCRYPT_SUCCESS(::BCryptOpenAlgorithmProvider(&state->provider, name, nullptr, 0))) return;
    if (BCRYPT_SUCCESS(::BCryptCreateHash(state->provider, &state->hash, nullptr, 0, nullptr, 0, 0))) m_state = state;
}

void Digest::update(std::span<const std::byte> bytes) {
    constexpr std::size_t largest = 1u << 30; // the call takes a 32-bit count
    while (m_state && !bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), largest));
        auto* const data = reinterpret_cast<UCHAR*>(const_cast<std::byte*>(piece.data())); // it is only read
        const auto& state = *static_cast<HashState*>(m_state.get());
        if (!BCRYPT_SUCCESS(::BCryptHashData(state.hash, data, static_cast<ULONG>(piece.size()), 0))) m_state.reset();
        bytes = bytes.subspan(piece.size());
    }
}

Result<std::vector<std::byte>> Digest::finish() {
    if (!m_state) return digestFailure();
    const auto& state = *static_cast<HashState*>(m_state.get());
    std::vector<std::byte> digest(state.bytes);
    if (!BCRYPT_SUCCESS(::BCryptFinishHash(state.hash, reinterpret_cast<UCHAR*>(digest.data()), state.bytes, 0)))
        return digestFailure();
    return digest;
}

} // namespace wb::io
#endif
