// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/kernel.h"

#include <array>
#include <string>
#include <vector>

namespace wb::gpu {

// The families of GPUs for which the shaders are compiled, as RADV calls them.
struct GpuFamily {
    const char* name;  // of RADV
    const char* title; // the chip
};
inline constexpr std::array gpuFamilies = {GpuFamily{"navi21", "Navi 21"}, GpuFamily{"gfx1100", "Navi 31"},
                                           GpuFamily{"gfx1103_r1", "Phoenix"}};

// A shader in which a model or a quantizer spends its time, in the form that a usual model takes.
struct HotShader {
    std::string title;
    KernelCode code;
};
std::vector<HotShader> hotShaders();

// What a shader may take of a family: at most so many vector registers of an invocation, and spilled ones; at least so many
// subgroups that run side by side on a SIMD unit. Some above what Mesa 22.3 makes of it.
struct ShaderLimit {
    unsigned registers = 0, subgroups = 0, spilled = 0;
};
struct ShaderLimits {
    const char* title;
    std::array<ShaderLimit, gpuFamilies.size()> of;
};
const ShaderLimits* findLimits(const std::string& title); // null: a shader without a limit

} // namespace wb::gpu
