// SPDX-License-Identifier: MIT
#include "core/hub/content_hash.h"

#include <array>

#include <openssl/evp.h>

namespace wb::hub {

ContentHash::ContentHash(const RemoteFile& file) : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    const bool isGit = file.sha256.empty() && !file.gitSha1.empty();
    m_isGood = m_context && EVP_DigestInit_ex(m_context.get(), isGit ? EVP_sha1() : EVP_sha256(), nullptr) == 1;
    if (!isGit) return;
    const std::string header = fmt::format("blob {}", file.bytes);
    update(std::as_bytes(std::span(header.c_str(), header.size() + 1)));
}

void ContentHash::update(std::span<const std::byte> bytes) {
    m_isGood = m_isGood && EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) == 1;
}

Result<std::string> ContentHash::finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned bytes = 0;
    if (!m_isGood || EVP_DigestFinal_ex(m_context.get(), digest.data(), &bytes) != 1)
        return fail(ErrorCode::Internal, Reason("hub.checksum"),
                    WB_TEXT("Cannot compute the checksum of a download: OpenSSL failed; check its installation."));
    std::string text;
    for (unsigned i = 0; i < bytes; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

const std::string& expectedHash(const RemoteFile& file) { return file.sha256.empty() ? file.gitSha1 : file.sha256; }

} // namespace wb::hub
