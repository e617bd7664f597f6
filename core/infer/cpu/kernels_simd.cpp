// SPDX-License-Identifier: MIT
#include "core/infer/cpu/multiply_simd.h"
#include "core/infer/cpu/rows_simd.h"

#include <hwy/targets.h>

#if defined(__linux__) && defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace wb::infer::cpu {
namespace {

bool hasVnni() {
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_cpu_supports("avx512vnni") != 0;
#else
    return false;
#endif
}

// Whether the CPU multiplies 8-bit tiles, and Linux lets the process use the registers: it must ask once, since they make
// each thread's saved state 8 KB larger (Documentation/arch/x86/xstate.rst of Linux).
bool hasAmx() {
#if defined(__GNUC__) && defined(__linux__) && defined(__x86_64__)
    static const bool has = [] {
        constexpr unsigned amxTile = 1U << 24, amxInt8 = 1U << 25;
        constexpr long requestPermission = 0x1023, tileData = 18;
        unsigned a = 0, b = 0, c = 0, d = 0;
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & amxTile) == 0 || (d & amxInt8) == 0) return false;
        return syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
    }();
    return has;
#else
    return false;
#endif
}

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

Kernels simdKernels() {
    const MultiplyForms amx = multiplyAmx();
    return hasVnni() && amx.one[0] != nullptr && hasAmx() ? assemble(amx) : simdKernelsWithoutAmx();
}

Kernels simdKernelsWithoutAmx() {
    const MultiplyForms vnni = multiplyVnni();
    return hasVnni() && vnni.one[0] != nullptr ? assemble(vnni) : plainSimdKernels();
}

Kernels plainSimdKernels() {
    MultiplyForms forms = multiplySimd();
    const OneTokenForms oneToken = oneTokenSimd();
    const auto expanded = expandedSimd();
    for (std::size_t i = 0; i < panelTypes; ++i)
        if (expanded[i]) {
            forms.one[i] = oneToken.one[i];
            forms.wide[i] = oneToken.wide[i];
            forms.groups[i] = expanded[i];
            forms.groupsAtOnce = maxGroups;
        }
    return assemble(forms);
}

} // namespace wb::infer::cpu
