// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace wb::io {

struct MainMemory {
    std::uint64_t bytes = 0;           // 0 where the system does not specify
    std::optional<std::uint64_t> free; // that programs can still take without others being pushed out
};

MainMemory mainMemory();

} // namespace wb::io
