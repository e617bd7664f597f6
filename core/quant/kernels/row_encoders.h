// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <span>

// The fast forms, each for a whole row: one group a SIMD lane, each lane in the reference's own order of operations.
namespace wb::quant {

struct RowInput {
    std::span<const float> x;
    std::span<const float> weights; // empty in the plain form and for types that ignore them
    std::byte* out;
};
using RowEncoder = void (*)(const RowInput&);

// The best form of a type that this machine has; nullptr for types of another family and where the scalar form is as good.
RowEncoder directEncoder(Dtype dtype);   // encode_direct_simd.cpp: F16, BF16 and the types with one rule a block
RowEncoder weightedEncoder(Dtype dtype); // encode_legacy_simd.cpp: Q4_0 … Q5_1 with column weights
RowEncoder kEncoder(Dtype dtype);        // encode_k_simd.cpp
RowEncoder iq4Encoder(Dtype dtype);      // encode_iq4_simd.cpp
RowEncoder latticeEncoder(Dtype dtype);  // encode_lattice_simd.cpp: IQ2 and IQ3
RowEncoder iq1Encoder(Dtype dtype);      // encode_iq1_simd.cpp

} // namespace wb::quant
