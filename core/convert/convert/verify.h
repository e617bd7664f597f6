// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wb::conversion {

// How much of what was written is computed again from the source and compared before files get their names.
enum class Verify : std::uint8_t {
    Sample, // the first and the last part of every tensor
    All,
};

} // namespace wb::conversion
