// SPDX-License-Identifier: MIT
#include "core/io/digests/digest.h"

#include <fmt/format.h>

#include <algorithm>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <bcrypt.h>
#else
#include <openssl/evp.h>
#endif

namespace wb::io {
namespace {

std::unexpected<Error> libraryFailed() {
    return fail(ErrorCode::Internal, Reason("io.checksum"),
                WB_TEXT("Cannot compute the checksum: the cryptographic library of the system failed; check its installation."));
}

} // namespace

#ifdef _WIN32
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
    if (!m_state) return libraryFailed();
    const auto& state = *static_cast<HashState*>(m_state.get());
    std::vector<std::byte> digest(state.bytes);
    if (!BCRYPT_SUCCESS(::BCryptFinishHash(state.hash, reinterpret_cast<UCHAR*>(digest.data()), state.bytes, 0)))
        return libraryFailed();
    return digest;
}
#else
Digest::Digest(DigestType type) {
    const std::shared_ptr<EVP_MD_CTX> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    const EVP_MD* const algorithm = type == DigestType::Sha1 ? EVP_sha1() : EVP_sha256();
    if (context && EVP_DigestInit_ex(context.get(), algorithm, nullptr) == 1) m_state = context;
}

void Digest::update(std::span<const std::byte> bytes) {
    auto* const context = static_cast<EVP_MD_CTX*>(m_state.get());
    if (context && EVP_DigestUpdate(context, bytes.data(), bytes.size()) != 1) m_state.reset();
}

Result<std::vector<std::byte>> Digest::finish() {
    std::vector<std::byte> digest(EVP_MAX_MD_SIZE);
    unsigned bytes = 0;
    auto* const data = reinterpret_cast<unsigned char*>(digest.data());
    if (!m_state || EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(m_state.get()), data, &bytes) != 1) return libraryFailed();
    digest.resize(bytes);
    return digest;
}
#endif

std::string hexText(std::span<const std::byte> digest) {
    std::string text;
    for (const std::byte byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return text;
}

} // namespace wb::io
