// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>

// How matrices are on a device: the bits of the file, in units that shaders load as 16 bytes.
//
//   F32, F16, BF16   numbers as stored; a row ends with a whole word
//   Q8_0             32 columns: 32 codes; the scale in its own word
//   Q4_0, Q4_1       32 columns: 16 bytes of nibbles, the low ones columns 0-15; scale, and minimum above it, in its own word
//   Q5_0, Q5_1       32 columns: the same, and the fifth bits in a second word
//   IQ4_NL           32 columns: as Q4_0
//   MXFP4            32 columns: the same; the scale as f32 in its own word
//   Q2_K             256 columns: the first 80 bytes of the file; scale and minimum in their own word
//   Q3_K             256 columns: the first 96 bytes of the file; scales in three words, the scale of all in a fourth one
//   Q4_K, Q5_K       256 columns: the 144 or 176 bytes of the file
//   Q6_K             256 columns: the first 208 bytes of the file; the scale in its own word
//   IQ4_XS           256 columns: the last 128 bytes of the file; the first 8 in two words
//   other blocks     32 columns: the levels as signed codes; as f32 in four words the scales of the first and the last 16
//                    columns, then their minimums. 12 bits per weight, as on the CPU (core/infer/cpu/kernels/panels.h)
namespace wb::gpu {

struct WeightLayout {
    Dtype dtype = Dtype::Unknown;
    std::uint32_t columns = 0;     // of a block
    std::uint32_t storedBytes = 0; // of a block of the file
    std::uint32_t weightBytes = 0; // of a block, without its scale
    bool isCodes = false;          // multiplies activations of 8 bits; else f32
    std::uint32_t scaleWords = 0;  // of a block, next to the weights
    bool isCoded = false;          // one of the other block types

    std::uint32_t shaderType() const; // of dtypes.h, or WB_CODED or WB_CODED_WHOLE
    std::uint64_t rowBytes(std::uint64_t rowColumns) const { return (rowColumns / columns * weightBytes + 3) / 4 * 4; }
    std::uint64_t rowScales(std::uint64_t rowColumns) const { return rowColumns / columns * scaleWords; } // words
};

// Null for a type that no shader multiplies.
const WeightLayout* findWeightLayout(Dtype dtype);

// Brings one row into that order: rowBytes() bytes and rowScales() words.
void packRow(const WeightLayout& layout, const std::byte* row, std::uint64_t columns, std::byte* weights, std::uint32_t* scales);

} // namespace wb::gpu
