// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <string>

namespace wb::run {

// How much of what was written is computed again from the source and compared before files get their names.
enum class Verify : std::uint8_t {
    Sample, // the beginning and the end of every tensor
    All,
};

// What was written of that tensor is not what its source gives once more.
inline constexpr Reason writtenDiffers("run.written_differs");
Error differsFromSource(const std::string& file, const std::string& tensor);

} // namespace wb::run
