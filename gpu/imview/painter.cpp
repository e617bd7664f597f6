// SPDX-License-Identifier: MIT
#include "gpu/imview/painter.h"

namespace wb::gpu::imview {
namespace {

// Cleared to transparent at the start, ready to be copied from at the end. The copies of the frame before must have ended.
Result<Owned<VkRenderPass>> makePass(Device& device) {
    VkAttachmentDescription color{};
    color.format = colorFormat;
    color.samples = VK_SAMPLE_COUNT_1_BIT;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    color.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    color.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    color.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    color.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;

    const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &reference;

    std::array<VkSubpassDependency, 2> dependencies{};
    dependencies[0] = {VK_SUBPASS_EXTERNAL,
                       0,
                       VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT,
                       VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                       0};
    dependencies[1] = {0,
                       VK_SUBPASS_EXTERNAL,
                       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                       VK_ACCESS_TRANSFER_READ_BIT,
                       0};

    VkRenderPassCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
    info.attachmentCount = 1;
    info.pAttachments = &color;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = static_cast<std::uint32_t>(dependencies.size());
    info.pDependencies = dependencies.data();
    return make(device, device.vk().vkCreateRenderPass, device.vk().vkDestroyRenderPass, info, "vkCreateRenderPass");
}

Result<Owned<VkSampler>> makeSampler(Device& device, VkFilter filter) {
    VkSamplerCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    info.magFilter = filter;
    info.minFilter = filter;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return make(device, device.vk().vkCreateSampler, device.vk().vkDestroySampler, info, "vkCreateSampler");
}

Result<Owned<VkDescriptorSetLayout>> makeSetLayout(Device& device) {
    std::array<VkDescriptorSetLayoutBinding, 2> bindings{};
    for (std::uint32_t binding = 0; binding < bindings.size(); ++binding)
        bindings[binding] = {binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    return make(device, device.vk().vkCreateDescriptorSetLayout, device.vk().vkDestroyDescriptorSetLayout, info,
                "vkCreateDescriptorSetLayout");
}

Result<Owned<VkPipelineLayout>> makeLayout(Device& device, VkDescriptorSetLayout setLayout) {
    const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, sizeof(Push)};
    VkPipelineLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = 1;
    info.pSetLayouts = &setLayout;
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    return make(device, device.vk().vkCreatePipelineLayout, device.vk().vkDestroyPipelineLayout, info, "vkCreatePipelineLayout");
}

} // namespace

Result<PainterPtr> Painter::create(DevicePtr device) {
    auto painter = std::make_shared<Painter>();
    painter->device = std::move(device);
    Device& d = *painter->device;
    WB_TRY_ASSIGN(painter->pass, makePass(d));
    WB_TRY_ASSIGN(painter->nearest, makeSampler(d, VK_FILTER_NEAREST));
    WB_TRY_ASSIGN(painter->linear, makeSampler(d, VK_FILTER_LINEAR));
    WB_TRY_ASSIGN(painter->setLayout, makeSetLayout(d));
    WB_TRY_ASSIGN(painter->layout, makeLayout(d, painter->setLayout.get()));
    for (std::uint32_t curve = 0; curve < painter->pipelines.size(); ++curve) {
        WB_TRY_ASSIGN(painter->pipelines[curve], makePipeline(*painter, curve));
    }
    return painter;
}

} // namespace wb::gpu::imview
