// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wb::io {

enum class DigestType { Sha1, Sha256 };

// SHA-1 or SHA-256 (FIPS 180-4) of bytes that come piece by piece. The system's library computes it: OpenSSL, on Windows
// bcrypt.dll, on macOS CommonCrypto. Not thread-safe.
class Digest {
public:
    explicit Digest(DigestType type);

    void update(std::span<const std::byte> bytes);

    // 20 or 32 bytes. Internal where the library refuses to compute it. Ends the computation; to be called once.
    Result<std::vector<std::byte>> finish();

private:
    std::shared_ptr<void> m_state; // none where the library refused
};

// Two small hexadecimal digits a byte.
std::string hexText(std::span<const std::byte> digest);

} // namespace wb::io
