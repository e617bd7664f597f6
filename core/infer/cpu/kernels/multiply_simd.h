// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/kernels.h"

namespace wb::infer::cpu {

struct MultiplyForms {
    std::array<Multiply, panelTypes> one{}, wide{}, groups{};
    std::size_t groupsAtOnce = 1;
};

// The matrix kernels in their readable form, in the order of operations that the others follow.
MultiplyForms multiplyScalar();

// Those of floats of the chosen target; null where it has no vectors.
MultiplyForms multiplyFloats();

// Those of integers with these products. Null for types that other forms of this header have.
MultiplyForms multiplySimd(ByteProducts products);

// Two groups by the tile registers of AMX, for the types for which that is faster. They may be called only where the system lets
// the process use the registers.
std::array<Multiply, panelTypes> tilesSimd();

// Forms for one token: of one panel, and of several. Null for types of floats, for lattices, and where the target has not these
// products.
struct OneTokenForms {
    std::array<Multiply, panelTypes> one, wide;
};
OneTokenForms oneTokenSimd(ByteProducts products);

// Forms for one token of lattices alone, the best of their target with an integer dot product too. Null where the target has none.
OneTokenForms oneTokenLattices();

// Forms for groups that expand a panel's codes once for all groups, of lattices apart. Null for types of floats, and where the
// products have none.
std::array<Multiply, panelTypes> expandedSimd(ByteProducts products);
std::array<Multiply, panelTypes> expandedLattices(ByteProducts products);

} // namespace wb::infer::cpu
