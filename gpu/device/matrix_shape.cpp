// SPDX-License-Identifier: MIT
#include "gpu/device/matrix_shape.h"

#include <algorithm>
#include <vector>

namespace wb::gpu {

#ifdef VK_KHR_cooperative_matrix // headers since 1.3.255

namespace {

bool isHalf(const VkCooperativeMatrixPropertiesKHR& one) {
    return one.AType == VK_COMPONENT_TYPE_FLOAT16_KHR && one.BType == VK_COMPONENT_TYPE_FLOAT16_KHR &&
           one.CType == VK_COMPONENT_TYPE_FLOAT32_KHR && one.ResultType == VK_COMPONENT_TYPE_FLOAT32_KHR &&
           one.scope == VK_SCOPE_SUBGROUP_KHR;
}

} // namespace

std::optional<MatrixShape> halfMatrixShape(VkPhysicalDevice device) {
    if (vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR == nullptr) return {};
    std::uint32_t count = 0;
    vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device, &count, nullptr);
    std::vector<VkCooperativeMatrixPropertiesKHR> shapes(count, {VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR});
    vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device, &count, shapes.data());
    const auto found = std::ranges::find_if(shapes, isHalf);
    if (found == shapes.end()) return {};
    return MatrixShape{found->MSize, found->NSize, found->KSize};
}

#else

std::optional<MatrixShape> halfMatrixShape(VkPhysicalDevice) { return {}; }

#endif

} // namespace wb::gpu
