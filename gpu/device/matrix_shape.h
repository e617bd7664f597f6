// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/vulkan.h"

#include <cstdint>
#include <optional>

namespace wb::gpu {

// left is rows × depth, right depth × columns.
struct MatrixShape {
    std::uint32_t rows = 0, columns = 0, depth = 0;
};

// The first shape in which a subgroup of the device multiplies f16 matrices and sums in f32; none without cooperative matrices.
std::optional<MatrixShape> halfMatrixShape(VkPhysicalDevice device);

} // namespace wb::gpu
