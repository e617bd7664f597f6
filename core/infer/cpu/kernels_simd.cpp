// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"
#include "core/infer/cpu/rows_simd.h"

namespace wb::infer::cpu {
namespace {

Kernels assemble(const MultiplyForms& multiply) {
    if (multiply.one[0] == nullptr) return scalarKernels(); // a machine without vectors
    const RowForms rows = rowsSimd();
    const AttentionForms attention = attentionSimd();
    Kernels kernels = scalarKernels(); // functions without a SIMD form keep the scalar one
    kernels.name = "SIMD";
    kernels.multiply = multiply.one;
    kernels.multiplyWide = multiply.wide;
    kernels.multiplyGroups = multiply.groups;
    kernels.groupsAtOnce = multiply.groupsAtOnce;
    const OneTokenForms lattices = oneTokenLattices();
    for (std::size_t i = 0; i < panelTypes; ++i)
        if (lattices.one[i]) {
            kernels.multiply[i] = lattices.one[i];
            kernels.multiplyWide[i] = lattices.wide[i];
        }
    kernels.quantize = rows.quantize;
    kernels.rmsNorm = rows.rmsNorm;
    kernels.layerNorm = rows.layerNorm;
    for (std::size_t i = 0; i < activationTypes; ++i)
        if (rows.activate[i]) kernels.activate[i] = rows.activate[i];
    kernels.softcap = rows.softcap;
    kernels.addScaled = rows.addScaled;
    kernels.toF16 = rows.toF16;
    kernels.scoreKeys = attention.scoreKeys;
    kernels.sumValues = attention.sumValues;
    kernels.softmax = rows.softmax;
    return kernels;
}

} // namespace

Kernels simdKernels(ByteProducts products) {
    MultiplyForms forms = multiplySimd(products);
    const OneTokenForms oneToken = products == ByteProducts::None ? oneTokenSimd() : OneTokenForms{};
    const auto expanded = expandedSimd(products);
    for (std::size_t i = 0; i < panelTypes; ++i) {
        if (oneToken.one[i]) {
            forms.one[i] = oneToken.one[i];
            forms.wide[i] = oneToken.wide[i];
        }
        if (expanded[i]) {
            forms.groups[i] = expanded[i];
            forms.groupsAtOnce = maxGroups;
        }
    }
    return assemble(forms);
}

} // namespace wb::infer::cpu
