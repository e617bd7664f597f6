// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels.h"

namespace wb::infer::cpu {

struct MultiplyForms {
    std::array<Multiply, panelTypes> one{}, wide{}, groups{};
    std::size_t groupsAtOnce = 1;
};

// The matrix kernels of the chosen target, the same with AVX-512's integer dot product, and these with two groups by the tile
// registers of AMX; null pointers where the target has none. The last may be called only where the system lets the process use the
// registers. Where oneTokenSimd() and expandedSimd() have forms, the first has none of integers.
MultiplyForms multiplySimd();
MultiplyForms multiplyVnni();
MultiplyForms multiplyAmx();

// Forms for one token of a target without an integer dot product: of one panel, and of several. Null as those of expandedSimd().
struct OneTokenForms {
    std::array<Multiply, panelTypes> one, wide;
};
OneTokenForms oneTokenSimd();

// Forms for one token of lattices alone, the best of their target with an integer dot product too. Null where the target has none.
OneTokenForms oneTokenLattices();

// Forms for groups of a target without an integer dot product: a panel's codes are expanded once for all groups. Null where the
// target has none, and for types of floats.
std::array<Multiply, panelTypes> expandedSimd();

} // namespace wb::infer::cpu
