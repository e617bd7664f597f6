// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>

// Inside the room: how a family of types offers its reference decoders.
namespace wb::scalar {

// Decodes `blocks` stored blocks, which are one after another.
using RowDecoder = void (*)(const std::byte* in, float* out, std::size_t blocks);

// A row decoder from the decoder of one block; `Layout` has `bytes` and `elements`.
template <class Layout, void (*decodeBlock)(const std::byte* block, float* out)>
void eachBlock(const std::byte* in, float* out, std::size_t blocks) {
    for (std::size_t i = 0; i < blocks; ++i) decodeBlock(in + i * Layout::bytes, out + i * Layout::elements);
}

// Null where the type is not of the family.
RowDecoder plainDecoder(Dtype dtype);   // floats and integers of 64 to 8 bits
RowDecoder smallDecoder(Dtype dtype);   // floats of 8, 6 and 4 bits
RowDecoder legacyDecoder(Dtype dtype);  // Q4_0 … Q8_1, Q1_0, Q2_0
RowDecoder superDecoder(Dtype dtype);   // Q2_K … Q8_K
RowDecoder ternaryDecoder(Dtype dtype); // TQ1_0, TQ2_0
RowDecoder fp4Decoder(Dtype dtype);     // MXFP4, NVFP4
RowDecoder iq4Decoder(Dtype dtype);     // IQ4_NL, IQ4_XS
RowDecoder latticeDecoder(Dtype dtype); // IQ1_S … IQ3_S

} // namespace wb::scalar
