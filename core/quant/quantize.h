// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <span>

// Quantizers of every GGUF type. The bytes are those of the reference (ggml-org/llama.cpp v0.5.0: ggml/src/ggml-quants.c on
// x86-64, without contraction); docs/reference/gguf.md, "Reference quantizers" is what this room implements.
namespace wb::quant {

// Whether the type is a target: F16, BF16, F32 and every block type but Q8_1 and Q8_K, which never are in a file.
bool canQuantize(Dtype dtype);

// How a type uses column weights (an importance matrix): ignores them, takes them, or has no form without them.
enum class WeightUse { Ignored, Optional, Required };
WeightUse weightUse(Dtype dtype);

// Whether weighted blocks of a row depend on each other, by a mean of the whole row: Q4_0, Q4_1, Q5_0 and Q5_1.
bool blocksShareRowMean(Dtype dtype);

// Quantizes one row of finite values. `row.size()` is a multiple of the block size, `out.size()` is
// rowBytes(dtype, row.size()); `weights` is empty or holds one non-negative number a column. Blocks depend on each other only
// where a whole-row mean is named (Q4_0 … Q5_1 with weights). Thread-safe.
void quantizeRow(Dtype dtype, std::span<const float> row, std::span<const float> weights, std::span<std::byte> out);

namespace scalar {
// The readable form, which is the truth for the SIMD and GPU forms.
void quantizeRow(Dtype dtype, std::span<const float> row, std::span<const float> weights, std::span<std::byte> out);
} // namespace scalar

} // namespace wb::quant
