// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <optional>
#include <string_view>

namespace wb::formats {

// The type that NumPy, JAX and zarr call so ("float32", "bfloat16", "float8_e4m3fn"); empty for others.
std::optional<Dtype> arrayType(std::string_view name);

// The same of NumPy's short form without its byte order ("f4", "u2", "b1"); empty for texts, dates, records and objects.
std::optional<Dtype> shortArrayType(std::string_view name);

} // namespace wb::formats
