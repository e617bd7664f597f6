// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

namespace wb::conversion {

// How many finite values a cast could not keep.
struct CastLoss {
    std::uint64_t overflows = 0;  // became infinite, or NaN where the type has no infinity
    std::uint64_t underflows = 0; // became zero

    CastLoss& operator+=(const CastLoss& other) {
        overflows += other.overflows;
        underflows += other.underflows;
        return *this;
    }
};

// The buffers one worker reuses.
struct CastBuffers {
    std::vector<float> values;
    std::vector<std::byte> raw;
};

// Reads `count` elements from the flat index `first` as elements of `to`: copied where they have this type, else cast through f32
// (from F64 directly), to nearest, ties to even. `to` is a type of weightTypes() or that of the tensor.
Result<CastLoss> castElements(const TensorReader& reader, std::uint64_t first, std::uint64_t count, Dtype to,
                              std::span<std::byte> out, CastBuffers& buffers);

} // namespace wb::conversion
