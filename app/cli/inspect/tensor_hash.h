// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/progress.h"
#include "core/model/tensor_reader.h"

#include <string>

namespace wb::cli {

// The sha256 of a tensor's values in their own type: row-major, little-endian, without gaps; 4-bit and 2-bit types a
// byte an element, of block types and of 6-bit types the stored bytes. Tensors of a type without numbers are given as U8.
Result<std::string> hashOfValues(const TensorReader& reader, const Progress& progress);

} // namespace wb::cli
