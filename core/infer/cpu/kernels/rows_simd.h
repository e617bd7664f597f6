// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/cpu/kernels/kernels.h"

#include "core/tensor/bytes.h"

namespace wb::infer::cpu {

// The kernels of the same names in one form: the readable one, in the order of operations that the others follow, or that of the
// chosen target, which has null where the readable one is as good.
struct RowForms {
    decltype(Kernels::quantize) quantize;
    decltype(Kernels::rmsNorm) rmsNorm;
    decltype(Kernels::layerNorm) layerNorm;
    decltype(Kernels::activate) activate;
    decltype(Kernels::softcap) softcap;
    decltype(Kernels::addScaled) addScaled;
    decltype(Kernels::rotate) rotate;
    decltype(Kernels::toF16) toF16;
    decltype(Kernels::softmax) softmax;
};
RowForms rowsScalar();
RowForms rowsSimd();

struct AttentionForms {
    decltype(Kernels::scoreKeys) scoreKeys;
    decltype(Kernels::sumValues) sumValues;
};
AttentionForms attentionScalar();
AttentionForms attentionSimd();

} // namespace wb::infer::cpu
