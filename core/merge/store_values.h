// SPDX-License-Identifier: MIT
#pragma once

#include "core/merge/kernels.h"
#include "core/tensor/half.h"

#include <cstring>
#include <span>

namespace wb::merge {

// Rounds values to F32, F16 or BF16, to nearest, ties to even.
inline void storeValues(std::span<const float> values, Dtype dtype, std::span<std::byte> out) {
    if (dtype == Dtype::F32) std::memcpy(out.data(), values.data(), values.size_bytes());
    else if (dtype == Dtype::BF16) storeBf16(values, out.data());
    else
        for (std::size_t i = 0; i < values.size(); ++i) wb::store(&out[2 * i], f32ToF16(values[i]));
}

} // namespace wb::merge
