// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/image.h"
#include "gpu/imview/texture_change.h"

#include <array>

namespace wb::gpu::imview {

inline constexpr VkFormat colorFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat valueFormat = VK_FORMAT_R32_SFLOAT;

// A device with everything that drawing needs and that no single view owns. Immutable.
struct Painter {
    DevicePtr device; // outlives the rest
    Owned<VkRenderPass> pass;
    Owned<VkSampler> nearest, linear;
    Owned<VkDescriptorSetLayout> setLayout; // two combined image samplers: texels, colors of a value texture
    Owned<VkPipelineLayout> layout;
    std::array<Owned<VkPipeline>, 3> pipelines; // for textures of colors, and for values on each Curve

    static Result<std::shared_ptr<Painter>> create(DevicePtr device);
};
using PainterPtr = std::shared_ptr<Painter>;

// The pipeline of painter.pass and painter.layout for a curve, 0 for textures of colors.
Result<Owned<VkPipeline>> makePipeline(const Painter& painter, std::uint32_t curve);

} // namespace wb::gpu::imview
