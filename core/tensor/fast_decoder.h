// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/row_decoder.h"

// Inside the room: the fast forms of the reference decoders, equal to them bit for bit. Null where a type has none or the machine
// lacks the instructions; the reference does the work then.
namespace wb::fast {

using scalar::RowDecoder;

RowDecoder plainDecoder(Dtype dtype);   // SIMD: F16, BF16 and integers of up to 32 bits
RowDecoder lookupDecoder(Dtype dtype);  // tables: floats of 8, 6 and 4 bits
RowDecoder blockDecoder(Dtype dtype);   // SIMD: Q4_0 … Q8_K, ternary and 4-bit levels
RowDecoder latticeDecoder(Dtype dtype); // SIMD: IQ1_S … IQ3_S

} // namespace wb::fast
