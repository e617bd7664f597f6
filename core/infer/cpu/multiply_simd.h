// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels.h"

namespace wb::infer::cpu {

struct MultiplyForms {
    std::array<Multiply, panelTypes> one, wide, group, twoGroups;
};

// The matrix kernels of the chosen target, the same with AVX-512's integer dot product, and these with two groups by the tile
// registers of AMX; null pointers where the target has none. The last may be called only where the system lets the process use the
// registers.
MultiplyForms multiplySimd();
MultiplyForms multiplyVnni();
MultiplyForms multiplyAmx();

} // namespace wb::infer::cpu
