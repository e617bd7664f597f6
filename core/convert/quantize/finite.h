// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <span>
#include <vector>

namespace wb::quantize {

inline constexpr std::size_t comparedElements = 1 << 14; // what is decoded at a time: stays in the cache, a multiple of every block

// Whether blocks of MXFP4 have the exponent that stands for no number; they may decode to zeros still. False for other
// types.
bool hasBadExponent(Dtype dtype, std::span<const std::byte> bytes);

// Whether whole blocks hold numbers only, as the reference requires of copied tensors (ggml-org/llama.cpp: ggml/src/ggml-quants.c,
// ggml_validate_row_data). `decoded` is scratch of at most comparedElements. True for types that cannot be decoded.
bool isFinite(Dtype dtype, std::span<const std::byte> bytes, std::vector<float>& decoded);

} // namespace wb::quantize
