// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels.h"

namespace wb::infer::cpu {

struct MultiplyForms {
    std::array<Multiply, panelTypes> one, wide, group;
};

// The matrix kernels of the chosen target, and the same with AVX-512's integer dot product; null pointers where the target has
// none.
MultiplyForms multiplySimd();
MultiplyForms multiplyVnni();

} // namespace wb::infer::cpu
