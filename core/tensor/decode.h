// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <span>

namespace wb {

// Decodes whole blocks to f32, bit for bit as the reference decoders do (ggml-org/llama.cpp: ggml/src/ggml-quants.c,
// dequantize_row_*; docs/reference/gguf.md, "Decoding" and docs/reference/formats.md, "Element types" for the plain
// types).
//
// `out.size()` must be a multiple of the block size and `bytes` hold exactly rowBytes(dtype, out.size()); both are the
// caller's duty. F64 and integers beyond 24 bits are rounded to nearest even; complex types and Unknown cannot be decoded here.
// A NaN of a plain type keeps its payload as described in half.h; every NaN of a block type is 0xFFC00000.
// Thread-safe. `decode` runs the best SIMD form the machine has; `scalar::decode` is the readable reference that it equals bit
// for bit, NaN payloads included.
void decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out);

// Whether `decode` knows the type.
bool canDecode(Dtype dtype);

namespace scalar {
void decode(Dtype dtype, std::span<const std::byte> bytes, std::span<float> out);
}

} // namespace wb
