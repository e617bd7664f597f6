// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels.h"

namespace wb::infer::cpu {

struct MultiplyForms {
    std::array<Multiply, panelTypes> one{}, wide{}, groups{};
    std::size_t groupsAtOnce = 1;
};

// The matrix kernels of the chosen target with these products; null pointers where the target has none. Those of AMX, two groups
// by its tile registers, may be called only where the system lets the process use the registers. Where oneTokenSimd() and
// expandedSimd() have forms, the first has none of integers.
MultiplyForms multiplySimd(ByteProducts products);

// Forms for one token of a target without an integer dot product: of one panel, and of several. Null as those of expandedSimd().
struct OneTokenForms {
    std::array<Multiply, panelTypes> one, wide;
};
OneTokenForms oneTokenSimd();

// Forms for one token of lattices alone, the best of their target with an integer dot product too. Null where the target has none.
OneTokenForms oneTokenLattices();

// Forms for groups that expand a panel's codes once for all groups. Null for types of floats, and where the products have none.
std::array<Multiply, panelTypes> expandedSimd(ByteProducts products);

} // namespace wb::infer::cpu
