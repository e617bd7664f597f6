// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wb {

// How many of `bytes` are done where progress counts something else, `done` of `total`.
inline std::uint64_t proportionalShare(std::uint64_t bytes, std::uint64_t done, std::uint64_t total) {
    if (done >= total) return bytes;
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * (static_cast<double>(done) / static_cast<double>(total)));
}

} // namespace wb
