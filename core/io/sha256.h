// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/io/byte_source.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace wb::io {

using Sha256Digest = std::array<std::byte, 32>;

// SHA-256 of bytes that come piece by piece (FIPS 180-4, by OpenSSL's EVP). Not thread-safe.
class Sha256 {
public:
    Sha256();

    void update(std::span<const std::byte> bytes);

    // Internal where OpenSSL refuses to compute it. Ends the computation; to be called once.
    Result<Sha256Digest> finish();

private:
    std::shared_ptr<evp_md_ctx_st> m_context;
    bool m_good = false;
};

// 64 small hexadecimal digits.
std::string hexText(const Sha256Digest& digest);

// The digest of a whole source, read in slabs; progress counts bytes.
Result<Sha256Digest> sha256Of(const ByteSource& source, const Progress& progress);

} // namespace wb::io
