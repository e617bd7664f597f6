// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"

#include <string>

namespace wb::cli {

// The sha256 of a tensor's values in their own type: row-major, little-endian, without gaps; of block types, and of types of less
// than a byte, the stored bytes.
Result<std::string> hashOfValues(const TensorReader& reader, const Progress& progress);

} // namespace wb::cli
