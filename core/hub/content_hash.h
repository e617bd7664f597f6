// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/hub/models.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace wb::hub {

// The hash by which a hub names a file: SHA-256, or git's SHA-1 over "blob <bytes>\0" and the bytes, which serves as a name only
// and proves nothing against an attacker. Of a file that has no name it is SHA-256 too. Not thread-safe.
class ContentHash {
public:
    explicit ContentHash(const RemoteFile& file);

    void update(std::span<const std::byte> bytes);

    // Small hexadecimal digits; to be called once. Internal where OpenSSL refuses.
    Result<std::string> finish();

private:
    std::shared_ptr<evp_md_ctx_st> m_context;
    bool m_isGood = false;
};

// What finish() gives where the bytes are those of the file; empty: not known.
const std::string& expectedHash(const RemoteFile& file);

} // namespace wb::hub
