// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/tensor_reader.h"

namespace wb::convert {

// How many finite values a cast could not keep, and what computed values (merged, dequantized) are no numbers.
struct CastLoss {
    std::uint64_t overflows = 0;  // became infinite, or NaN where the type has no infinity
    std::uint64_t underflows = 0; // became zero
    std::uint64_t notFinite = 0;  // of computed values: NaN or infinite

    CastLoss& operator+=(const CastLoss& other) {
        overflows += other.overflows;
        underflows += other.underflows;
        notFinite += other.notFinite;
        return *this;
    }
};

// How many elements of the type F32, F16, BF16 or F8_E4M3 are NaN or infinite; 0 for all other types.
std::uint64_t countNotFinite(Dtype dtype, std::span<const std::byte> elements);

// The buffers one worker reuses.
struct CastBuffers {
    std::vector<float> values;
    std::vector<std::byte> raw;
};

// Reads `count` elements from the flat index `first` as elements of `to`: copied where they have this type, else cast through f32
// (from F64 directly), to nearest, ties to even. `to` is a type of weightTypes() or that of the tensor.
Result<CastLoss> castElements(const TensorReader& reader, std::uint64_t first, std::uint64_t count, Dtype to,
                              std::span<std::byte> out, CastBuffers& buffers);

} // namespace wb::convert
