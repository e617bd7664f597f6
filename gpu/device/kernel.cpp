// SPDX-License-Identifier: MIT
#include "gpu/device/kernel.h"

#include "gpu/device/device.h"
#include "gpu/device/float_controls.h"

namespace wb::gpu {
namespace {

std::vector<VkDescriptorSetLayoutBinding> codeBindings(const KernelCode& code) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (std::uint32_t at = 0; at < code.buffers; ++at)
        bindings.push_back({at, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    return bindings;
}

std::vector<VkSpecializationMapEntry> codeConstants(const KernelCode& code) {
    std::vector<VkSpecializationMapEntry> entries;
    for (std::uint32_t id = 0; id < code.constants.size(); ++id) entries.push_back({id, id * 4, 4});
    return entries;
}

// A shader module that lives as long as the pipeline is being made.
class Module {
public:
    Module(Device& device, const KernelCode& code) : m_device(device) {
        const FloatControls controls = deviceFloatControls(device.physical());
        const auto controlled = controls.any() ? withFloatControls(code.words, controls) : std::vector<std::uint32_t>();
        const auto words = controls.any() ? std::span<const std::uint32_t>(controlled) : code.words;
        VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
        info.codeSize = words.size_bytes();
        info.pCode = words.data();
        m_result = device.vk().vkCreateShaderModule(device.handle(), &info, nullptr, &m_module);
    }
    ~Module() { m_device.vk().vkDestroyShaderModule(m_device.handle(), m_module, nullptr); }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    VkResult result() const { return m_result; }
    VkShaderModule handle() const { return m_module; }

private:
    Device& m_device;
    VkShaderModule m_module = VK_NULL_HANDLE;
    VkResult m_result;
};

VkResult createLayouts(Device& device, const KernelCode& code, VkDescriptorSetLayout& set, VkPipelineLayout& layout) {
    const auto bindings = codeBindings(code);
    VkDescriptorSetLayoutCreateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    setInfo.bindingCount = static_cast<std::uint32_t>(bindings.size());
    setInfo.pBindings = bindings.data();
    const VkResult result = device.vk().vkCreateDescriptorSetLayout(device.handle(), &setInfo, nullptr, &set);
    if (result != VK_SUCCESS) return result;
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, code.pushBytes};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1;
    info.pSetLayouts = &set;
    info.pushConstantRangeCount = code.pushBytes > 0 ? 1 : 0;
    info.pPushConstantRanges = &push;
    return device.vk().vkCreatePipelineLayout(device.handle(), &info, nullptr, &layout);
}

VkResult createPipeline(Device& device, const KernelCode& code, VkShaderModule shader, VkPipelineLayout layout,
                        VkPipeline& pipeline) {
    const auto entries = codeConstants(code);
    const VkSpecializationInfo constants{static_cast<std::uint32_t>(entries.size()), entries.data(), code.constants.size() * 4,
                                         code.constants.data()};
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &constants;
    info.layout = layout;
    return device.vk().vkCreateComputePipelines(device.handle(), device.pipelineCache(), 1, &info, nullptr, &pipeline);
}

} // namespace

Result<std::shared_ptr<const Kernel>> Kernel::create(Device& device, const KernelCode& code) {
    const auto kernel = std::make_shared<Kernel>(device, code);
    WB_TRY(device.check(createLayouts(device, code, kernel->m_setLayout, kernel->m_layout), code.name));
    const Module shader(device, code);
    WB_TRY(device.check(shader.result(), code.name));
    WB_TRY(device.check(createPipeline(device, code, shader.handle(), kernel->m_layout, kernel->m_pipeline), code.name));
    return kernel;
}

Kernel::~Kernel() {
    m_device.vk().vkDestroyPipeline(m_device.handle(), m_pipeline, nullptr);
    m_device.vk().vkDestroyPipelineLayout(m_device.handle(), m_layout, nullptr);
    m_device.vk().vkDestroyDescriptorSetLayout(m_device.handle(), m_setLayout, nullptr);
}

} // namespace wb::gpu
