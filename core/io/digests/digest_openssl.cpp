// SPDX-License-Identifier: MIT
#if !defined(_WIN32) && !defined(__APPLE__)
#include "core/io/digests/digest.h"
#include "core/io/digests/digest_failure.h"

#include <openssl/evp.h>

namespace wb::io {

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
    if (!m_state || EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(m_state.get()), data, &bytes) != 1) return digestFailure();
    digest.resize(bytes);
    return digest;
}

} // namespace wb::io
#endif
