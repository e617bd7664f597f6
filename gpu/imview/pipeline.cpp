// SPDX-License-Identifier: MIT
#include "gpu/imview/painter.h"
#include "gpu/shaders/imview_frag.spv.h"
#include "gpu/shaders/imview_vert.spv.h"

#include <imgui.h>

#include <array>
#include <span>

namespace wb::gpu::imview {
namespace {

Result<Owned<VkShaderModule>> makeModule(Device& device, std::span<const std::uint32_t> words) {
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = words.size_bytes();
    info.pCode = words.data();
    return make(device, device.vk().vkCreateShaderModule, device.vk().vkDestroyShaderModule, info, "vkCreateShaderModule");
}

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits stage, VkShaderModule module) {
    VkPipelineShaderStageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage = stage;
    info.module = module;
    info.pName = "main";
    return info;
}

struct VertexLayout {
    VkVertexInputBindingDescription binding{0, sizeof(ImDrawVert), VK_VERTEX_INPUT_RATE_VERTEX};
    std::array<VkVertexInputAttributeDescription, 3> attributes{{{0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, pos)},
                                                                 {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ImDrawVert, uv)},
                                                                 {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ImDrawVert, col)}}};
    VkPipelineVertexInputStateCreateInfo info{};

    VertexLayout() {
        info.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
        info.vertexBindingDescriptionCount = 1;
        info.pVertexBindingDescriptions = &binding;
        info.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size());
        info.pVertexAttributeDescriptions = attributes.data();
    }
};

// Colors come with straight alpha and land premultiplied: color = source · alpha + target · (1 − alpha), alpha likewise with
// source · 1.
VkPipelineColorBlendAttachmentState blending() {
    VkPipelineColorBlendAttachmentState state{};
    state.blendEnable = VK_TRUE;
    state.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    state.colorBlendOp = VK_BLEND_OP_ADD;
    state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    state.alphaBlendOp = VK_BLEND_OP_ADD;
    state.colorWriteMask =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
    return state;
}

// The fixed functions: triangles of either winding, one sample, no depth, viewport and scissor set while recording.
struct FixedState {
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    VkPipelineViewportStateCreateInfo viewport{};
    VkPipelineRasterizationStateCreateInfo raster{};
    VkPipelineMultisampleStateCreateInfo samples{};
    VkPipelineColorBlendAttachmentState attachment = blending();
    VkPipelineColorBlendStateCreateInfo blend{};
    std::array<VkDynamicState, 2> dynamics{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{};

    FixedState() {
        assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
        assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
        viewport.viewportCount = 1;
        viewport.scissorCount = 1;
        raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
        raster.polygonMode = VK_POLYGON_MODE_FILL;
        raster.cullMode = VK_CULL_MODE_NONE;
        raster.lineWidth = 1;
        samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
        blend.attachmentCount = 1;
        blend.pAttachments = &attachment;
        dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
        dynamic.dynamicStateCount = static_cast<std::uint32_t>(dynamics.size());
        dynamic.pDynamicStates = dynamics.data();
    }
};

} // namespace

Result<Owned<VkPipeline>> makePipeline(const Painter& painter, std::uint32_t curve) {
    Device& device = *painter.device;
    WB_TRY_ASSIGN(const auto vertex, makeModule(device, shaders::imview_vert));
    WB_TRY_ASSIGN(const auto fragment, makeModule(device, shaders::imview_frag));
    std::array stages{stage(VK_SHADER_STAGE_VERTEX_BIT, vertex.get()), stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment.get())};
    const VkSpecializationMapEntry entry{0, 0, sizeof curve};
    const VkSpecializationInfo constants{1, &entry, sizeof curve, &curve};
    stages[1].pSpecializationInfo = &constants;
    const VertexLayout vertices;
    const FixedState fixed;

    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &vertices.info;
    info.pInputAssemblyState = &fixed.assembly;
    info.pViewportState = &fixed.viewport;
    info.pRasterizationState = &fixed.raster;
    info.pMultisampleState = &fixed.samples;
    info.pColorBlendState = &fixed.blend;
    info.pDynamicState = &fixed.dynamic;
    info.layout = painter.layout.get();
    info.renderPass = painter.pass.get();
    VkPipeline pipeline = VK_NULL_HANDLE;
    WB_TRY(
        device.check(device.vk().vkCreateGraphicsPipelines(device.handle(), device.pipelineCache(), 1, &info, nullptr, &pipeline),
                     "vkCreateGraphicsPipelines"));
    return Owned<VkPipeline>(device.handle(), pipeline, device.vk().vkDestroyPipeline);
}

} // namespace wb::gpu::imview
