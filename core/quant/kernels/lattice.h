// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/kernels/encoders.h"
#include "core/quant/kernels/grid.h"
#include "core/tensor/dtype.h"

#include <array>
#include <cstdint>

// The search shared by IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS and IQ3_S: each sub-block gets a scale, signs, and points of a grid whose
// digit l stands for 2l+1 (docs/reference/gguf.md, "Lattice types").
namespace wb::quant::scalar {

// The row of the table of 6.8 for one type.
struct LatticeType {
    const Grid& (*grid)();
    unsigned subBlock;          // elements that share a scale
    int levels;                 // digits 0 … levels-1
    float meanSquareFactor;     // σ² = factor · Σx² / 256
    float plainMean;            // plain weights are plainMean · σ² + x²
    bool paritySigns;           // seven stored sign bits, the eighth by even parity
    float emptyBelow;           // a sub-block whose largest magnitude is below this is skipped; 0: only an all-zero one
    int tries;                  // candidates t = -tries … tries
    float step;                 // inverse scale (2·levels-1 + step·t) / largest
    bool startsFromPositiveFit; // IQ2_XXS: the start and its codes come from QP
    bool flagsStartOnGrid;      // whether a point counts as on the grid before any candidate was accepted
    bool refitsAllPoints;       // refit every point …
    bool refitsOnlyIfOff;       // … but only if some point was off the grid
    float storedFactor;         // what the stored super-scale is multiplied by
};

// The search result for one super-block. A skipped sub-block has scale 0 and nothing else.
struct LatticeFit {
    std::array<std::uint16_t, 64> points{}; // one a group of 8 (IQ2) or 4 (IQ3)
    std::array<std::uint8_t, 32> signs{};   // one a group of 8
    std::array<std::uint8_t, 16> scales{};  // codes 0 … 15
    std::array<bool, 16> skipped{};
    std::uint16_t d = 0;
    bool empty = false; // every sub-block has scale 0
};

LatticeFit fitLattice(const LatticeType& type, const Block& block);

// The last step of a super-block: the codes of its sub-blocks' scales and the super-scale. Where sums of huge values overflowed, so
// that a scale is not a number, neither is the super-scale: the reference stops there.
void setScales(const LatticeType& type, std::span<const float> scales, LatticeFit& fit);

// One lattice type as a whole: its search and how a super-block is written.
struct LatticeForm {
    Dtype dtype;
    LatticeType type;
    void (*store)(const LatticeFit& fit, std::byte* out);
    std::size_t bytes;
};
std::span<const LatticeForm, 5> latticeForms();

} // namespace wb::quant::scalar
