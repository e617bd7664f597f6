// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/vulkan.h"

#include <cstdint>
#include <span>
#include <vector>

namespace wb::gpu {

// Properties of 32-bit floats that a device declares to a shader that asks for it; without asking, Vulkan lets it flush subnormal
// numbers, and some do (the specification's appendix "Precision and Operation of SPIR-V Instructions"; SPV_KHR_float_controls).
struct FloatControls {
    bool subnormals = false; // are kept
    bool specials = false;   // signed zeros, infinities and NaN are kept
    bool rounding = false;   // to nearest, ties to even

    bool any() const { return subnormals || specials || rounding; }
};

// Nothing where the device does not tell, or can guarantee it only for floats of every width at once.
FloatControls deviceFloatControls(VkPhysicalDevice device);

// The shader `words`, a valid module with one entry point that asks for nothing yet, with the wish for `controls` added.
std::vector<std::uint32_t> withFloatControls(std::span<const std::uint32_t> words, FloatControls controls);

} // namespace wb::gpu
