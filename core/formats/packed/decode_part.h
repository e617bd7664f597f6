// SPDX-License-Identifier: MIT
#pragma once

#include "core/formats/packed/packed.h"

// Inside the room.
namespace wb::packed {

// The numbers `first` to `first + out.size()` of a part as floats; integers beyond 24 bits are rounded. Malformed where they are
// not in the file or the part has no such encoding.
Result<void> decodePart(const io::ByteSource& file, const Part& part, std::uint64_t first, std::span<float> out);

} // namespace wb::packed
