// SPDX-License-Identifier: MIT
#include "core/io/digests/digest.h"

#include "core/io/digests/digest_failure.h"

#include <fmt/format.h>

namespace wb::io {

std::unexpected<Error> digestFailure() {
    return fail(ErrorCode::Internal, Reason("io.checksum"),
                WB_TEXT("Cannot compute the checksum: the cryptographic library of the system failed; check its installation."));
}

std::string hexText(std::span<const std::byte> digest) {
    std::string text;
    for (const std::byte byte : digest) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return text;
}

} // namespace wb::io
