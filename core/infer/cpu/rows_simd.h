// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels.h"

#include "core/tensor/bytes.h"

namespace wb::infer::cpu {

// The SIMD forms of the kernels of the same names.
struct RowForms {
    decltype(Kernels::quantize) quantize;
    decltype(Kernels::rmsNorm) rmsNorm;
    decltype(Kernels::layerNorm) layerNorm;
    decltype(Kernels::activate) activate; // null: the readable form
    decltype(Kernels::softcap) softcap;
    decltype(Kernels::addScaled) addScaled;
    decltype(Kernels::toF16) toF16;
    decltype(Kernels::softmax) softmax;
};
RowForms rowsSimd();

struct AttentionForms {
    decltype(Kernels::scoreKeys) scoreKeys;
    decltype(Kernels::sumValues) sumValues;
};
AttentionForms attentionSimd();

} // namespace wb::infer::cpu
