// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/byte_source.h"

#include <string>

namespace wb::cli {

// The sha256 of some bytes of a file, as hexadecimal text.
Result<std::string> hashOfRange(const io::ByteSource& source, std::uint64_t offset, std::uint64_t bytes);

} // namespace wb::cli
