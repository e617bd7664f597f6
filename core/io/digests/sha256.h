// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/io/byte_source.h"
#include "core/io/digests/digest.h"

#include <array>
#include <cstddef>
#include <span>

namespace wb::io {

using Sha256Digest = std::array<std::byte, 32>;

// SHA-256 of bytes that come piece by piece; see Digest. Not thread-safe.
class Sha256 {
public:
    void update(std::span<const std::byte> bytes) { m_digest.update(bytes); }

    // Internal where the library refuses to compute it. Ends the computation; to be called once.
    Result<Sha256Digest> finish();

private:
    Digest m_digest{DigestType::Sha256};
};

// The digest of a whole source, read in slabs; progress counts bytes.
Result<Sha256Digest> hashSha256(const ByteSource& source, const Progress& progress);

} // namespace wb::io
