// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wb::memory {

// llama.cpp's usual batch that is computed at once, in tokens, and what it rounds a cache up to (specs/memory_estimates.md 4, 5).
inline constexpr std::uint64_t microBatch = 512;
constexpr std::uint64_t cells(std::uint64_t tokens) { return (tokens + 255) / 256 * 256; }

} // namespace wb::memory
