// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

#include <stop_token>

namespace wb::gpu {

// Fills `out` (reader.byteCount(count) bytes) with the stored blocks of `count` elements from `first` on, as readRaw() does, but
// with up to eight threads: one alone reads a warm file at 3 to 5 GB/s, and a GPU takes ten times that. `out` may are in
// device memory, as it is only written, front to back.
Result<void> readSlab(const TensorReader& reader, std::uint64_t first, std::uint64_t count, std::span<std::byte> out,
                      const std::stop_token& stop);

} // namespace wb::gpu
