// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"
#include "core/infer/cpu/rows_simd.h"

#include <hwy/targets.h>

namespace wb::infer::cpu {
namespace {

bool hasVnni() {
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_cpu_supports("avx512vnni") != 0;
#else
    return false;
#endif
}

Kernels assemble(const MultiplyForms& multiply) {
    if (multiply.one[0] == nullptr) return scalarKernels(); // a machine without vectors
    const RowForms rows = rowsSimd();
    const AttentionForms attention = attentionSimd();
    Kernels kernels = scalarKernels(); // what has no form of its own keeps the readable one
    kernels.name = "SIMD";
    kernels.multiply = multiply.one;
    kernels.multiplyWide = multiply.wide;
    kernels.multiplyGroup = multiply.group;
    kernels.quantize = rows.quantize;
    kernels.rmsNorm = rows.rmsNorm;
    kernels.layerNorm = rows.layerNorm;
    for (std::size_t i = 0; i < activationTypes; ++i)
        if (rows.activate[i]) kernels.activate[i] = rows.activate[i];
    kernels.softcap = rows.softcap;
    kernels.addScaled = rows.addScaled;
    kernels.toF16 = rows.toF16;
    kernels.scores = attention.scores;
    kernels.mix = attention.mix;
    kernels.softmax = rows.softmax;
    return kernels;
}

} // namespace

Kernels simdKernels() {
    const MultiplyForms vnni = multiplyVnni();
    return hasVnni() && vnni.one[0] != nullptr ? assemble(vnni) : plainSimdKernels();
}

Kernels plainSimdKernels() { return assemble(multiplySimd()); }

} // namespace wb::infer::cpu
