// SPDX-License-Identifier: MIT
#pragma once

#include "core/convert/source/cast_work.h"

namespace wb::convert {

// How many elements of type F32, F16, BF16 or F8_E4M3 are NaN or infinite; 0 for all other types.
std::uint64_t countNotFinite(Dtype dtype, std::span<const std::byte> elements);

// Reads `count` elements from the flat index `first` as elements of `to`: copied where they have this type, else cast through f32
// (from F64 directly), to nearest, ties to even. `to` is a type of weightTypes() or that of the tensor.
Result<CastLoss> castElements(const TensorReader& reader, std::uint64_t first, std::uint64_t count, Dtype to,
                              std::span<std::byte> out, ItemBuffers& buffers);

} // namespace wb::convert
