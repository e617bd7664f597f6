// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/hub/models.h"
#include "core/io/digests/digest.h"

#include <cstddef>
#include <span>
#include <string>

namespace wb::hub {

// The hash by which a hub names a file: SHA-256, or git's SHA-1 over "blob <bytes>\0" and the bytes, which serves as a name only
// and proves nothing against an attacker. Of a file that has no name it is SHA-256 too. Not thread-safe.
class ContentHash {
public:
    explicit ContentHash(const RemoteFile& file);

    void update(std::span<const std::byte> bytes) { m_digest.update(bytes); }

    // Small hexadecimal digits; to be called once. Internal where the library refuses.
    Result<std::string> finish();

private:
    io::Digest m_digest;
};

// What finish() gives where the bytes are those of the file; empty: not known.
const std::string& expectedHash(const RemoteFile& file);

} // namespace wb::hub
