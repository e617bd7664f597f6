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
    return {"SIMD",         multiply.one,           multiply.wide, multiply.group,   rows.quantize, rows.rmsNorm, rows.siluMultiply,
            rows.addScaled, scalarKernels().rotate, rows.toF16,    attention.scores, attention.mix, rows.softmax};
}

} // namespace

Kernels simdKernels() {
    const MultiplyForms vnni = multiplyVnni();
    return hasVnni() && vnni.one[0] != nullptr ? assemble(vnni) : plainSimdKernels();
}

Kernels plainSimdKernels() { return assemble(multiplySimd()); }

} // namespace wb::infer::cpu
