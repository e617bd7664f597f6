// SPDX-License-Identifier: MIT
#include "core/hub/content_hash.h"

#include <fmt/format.h>

namespace wb::hub {
namespace {

bool isNamedByGit(const RemoteFile& file) { return file.sha256.empty() && !file.gitSha1.empty(); }

} // namespace

ContentHash::ContentHash(const RemoteFile& file) : m_digest(isNamedByGit(file) ? io::DigestType::Sha1 : io::DigestType::Sha256) {
    if (!isNamedByGit(file)) return;
    const std::string header = fmt::format("blob {}", file.bytes);
    update(std::as_bytes(std::span(header.c_str(), header.size() + 1)));
}

Result<std::string> ContentHash::finish() {
    WB_TRY_ASSIGN(const auto digest, m_digest.finish());
    return io::hexText(digest);
}

const std::string& expectedHash(const RemoteFile& file) { return file.sha256.empty() ? file.gitSha1 : file.sha256; }

} // namespace wb::hub
