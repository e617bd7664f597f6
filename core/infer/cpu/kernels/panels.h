// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/buffer.h"
#include "core/tensor/dtype.h"

#include <array>
#include <cstdint>

// Weights in the layout of the kernels: a matrix is cut into panels of 16 rows, and the rows of a panel are interleaved so that one
// vector holds the same columns of all 16. The bits are those of the file; only their order changes, and 8-bit codes are stored
// unsigned, as the integer dot products of x86 want them (docs/reference/inference.md, "CPU engine").
//
// A panel is a run of blocks. [16] are the rows; a "vector" is [16 rows][4 columns] bytes, and eight vectors are 32 columns.
// The order of those of Q6_K is that in which a token is multiplied: memory delivers lines fastest one after the other.
//   F32, F16, BF16   one column: 16 numbers
//   Q8_0             32 columns: 8 vectors of code + 128, 16 f16 scales
//   Q4_0, IQ4_NL     32 columns: 4 vectors, low nibbles columns 0-15, high 16-31; 16 f16 scales
//   Q4_1             the same, then 16 f16 minimums
//   MXFP4            the same nibbles, then 16 E8M0 scales
//   Q5_0, Q5_1       the same nibbles, one vector of fifth bits (bit j is that of column 4j + its place), then as Q4_0 and Q4_1
//   Q2_K             256 columns: 16 f16 d, 16 f16 dmin, [16][16] bytes of scale (low nibble) and minimum (high), then for each half
//                    8 vectors of pairs of bits in the order of the stored bytes
//   Q3_K             256 columns: 16 f16 d, scales [16][16] i8, 8 vectors of third bits (bit k: columns 32k …), pairs as in Q2_K
//   Q4_K             256 columns: 16 f16 d, 16 f16 dmin, scales [8][16] u8, minimums [8][16] u8, then for each pair of sub-blocks
//                    8 vectors, low nibbles the first of the two, high the second
//   Q5_K             the same with 8 vectors of fifth bits (bit k: columns 32k …) before the nibbles
//   Q6_K             256 columns: 16 f16 d, scales [16][16] i8, then for each half 8 times: a vector of high pairs and two of low
//                    nibbles, columns 0-31 and 64-95, then 32-63 and 96-127
//   IQ4_XS           256 columns: 16 f16 d, scales [8][16] i8, then for each 32 columns 4 vectors of nibbles as in Q4_0
//   NVFP4            64 columns: scales of 16 columns [4][16] UE4M3, then for each 32 columns 4 vectors: the low nibbles of two are
//                    8 columns, their high ones the next 8
//   Q8_1             as Q8_0, without the sums
//   Q8_K             256 columns: 16 f32 d, then for each 32 columns 8 vectors of code + 128, without the sums
//   Q1_0             128 columns: 16 f16 d, then for each 32 columns a vector of bits (bit j is that of column 4j + its place)
//   Q2_0             64 columns: 16 f16 d, then for each 32 columns 2 vectors of pairs of bits (pair j of vector v: 16v + 4j …)
//   TQ1_0            256 columns: 16 f16 d, 13 vectors of five trits or, in the last, four, in the order of the stored bytes
//   TQ2_0            256 columns: 16 f16 d, then pairs as in Q2_K
//   IQ1 … IQ3        256 columns of points of a grid: lattice.h
namespace wb::infer::cpu {

inline constexpr std::size_t panelRows = 16;

enum class PanelType : std::uint8_t {
    F32,
    F16,
    BF16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ4_NL,
    IQ4_XS,
    MXFP4,
    NVFP4,
    Q8_1,
    Q8_K,
    Q1_0,
    Q2_0,
    TQ1_0,
    TQ2_0,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ3_XXS,
    IQ3_S,
    Count
};
inline constexpr std::size_t panelTypes = static_cast<std::size_t>(PanelType::Count);

struct PanelFormat {
    PanelType type;
    Dtype dtype;              // whose stored blocks become its blocks
    std::uint32_t columns;    // of a block
    std::uint32_t blockBytes; // of 16 rows
    bool integer;             // multiplies 8-bit activations; else f32
    // Interleaves one block of 16 rows; `rows[r]` points to the stored block of row r.
    void (*pack)(const std::array<const std::byte*, panelRows>& rows, std::byte* out);
};

const PanelFormat& panelFormat(PanelType type);

// A kernel for groups decodes a lattice once for all groups that it gets, so it should get many.
constexpr bool isLattice(PanelType type) { return type >= PanelType::IQ1_S; }

// The format that contains this type's numbers exactly: its own for block types, F32 for decoded types.
const PanelFormat& dtypePanelFormat(Dtype dtype);

// A matrix in panels. Rows beyond the last are zero.
struct PanelMatrix {
    const PanelFormat* format = nullptr;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    Buffer bytes;

    std::uint64_t panels() const { return (rows + panelRows - 1) / panelRows; }
    std::uint64_t blocks() const { return columns / format->columns; } // of one panel
    std::uint64_t panelBytes() const { return blocks() * format->blockBytes; }
    const std::byte* panel(std::uint64_t index) const { return bytes.data() + index * panelBytes(); }
};

} // namespace wb::infer::cpu
