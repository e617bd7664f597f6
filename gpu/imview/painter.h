// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/image.h"
#include "gpu/imview/texture.h"

namespace wb::gpu::imview {

// What imview.vert and imview.frag are told with every draw: 48 bytes of push constants.
struct Push {
    float scaleX, scaleY, moveX, moveY;
    float low = 0, span = 0, linearWidth = 1;
    std::uint32_t curve = 0; // 0: the texture holds colours; else Curve
    std::uint32_t nan = 0, positiveInfinity = 0, negativeInfinity = 0;
};

inline constexpr VkFormat colourFormat = VK_FORMAT_R8G8B8A8_UNORM;
inline constexpr VkFormat valueFormat = VK_FORMAT_R32_SFLOAT;

// A device with everything that drawing needs and that no single view owns. Immutable.
struct Painter {
    DevicePtr device; // outlives the rest
    Owned<VkRenderPass> pass;
    Owned<VkSampler> nearest, linear;
    Owned<VkDescriptorSetLayout> setLayout; // two combined image samplers: texels, colours of a value texture
    Owned<VkPipelineLayout> layout;
    Owned<VkPipeline> pipeline;

    static Result<std::shared_ptr<Painter>> create(DevicePtr device);
};
using PainterPtr = std::shared_ptr<Painter>;

// The pipeline of painter.pass and painter.layout.
Result<Owned<VkPipeline>> makePipeline(const Painter& painter);

} // namespace wb::gpu::imview
