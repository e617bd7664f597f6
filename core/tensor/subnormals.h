// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace wb {

// How many elements are subnormal in their stored type: exponent field 0 and a mantissa that is not. Counted on bits, so the flush
// mode of the FPU does not matter. 0 for types that have no their own subnormals: integers, F8_E8M0, complex and block types
// (what statistics call subnormal there is a matter of the decoded f32). `bytes` holds whole blocks of its type. Thread-safe.
// `scalar::` is the readable reference of the SIMD form.
std::uint64_t countStoredSubnormals(Dtype dtype, std::span<const std::byte> bytes);

namespace scalar {
std::uint64_t countStoredSubnormals(Dtype dtype, std::span<const std::byte> bytes);
}

} // namespace wb
