// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace wb::gpu {

// What some devices compute faster and the portable path does without. A device has a feature here where its driver offers it and
// this build holds the shaders for it, which requires a shader compiler that knows the GLSL extension (cmake/Shader.cmake, NEEDS).
enum class Feature : std::uint8_t {
    IntegerDot,       // dot products of four packed bytes (VK_KHR_shader_integer_dot_product)
    CooperativeMatrix // products of f16 matrices by a subgroup (VK_KHR_cooperative_matrix, GL_KHR_cooperative_matrix)
};
inline constexpr std::array allFeatures = {Feature::IntegerDot, Feature::CooperativeMatrix};

// For display, in English: "integer dot product".
const char* featureName(Feature feature);

// Whether this build holds the shaders of the feature.
bool isBuilt(Feature feature);

} // namespace wb::gpu
