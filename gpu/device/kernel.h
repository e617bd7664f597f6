// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "gpu/device/vulkan.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace wb::gpu {

class Device;

// A compute shader with what the host must know of it: storage buffers at set 0, bindings 0 … buffers - 1; push constants; the
// specialization constants with the ids 0, 1, …
struct KernelCode {
    const char* name = "";                // for messages
    std::span<const std::uint32_t> words; // SPIR-V; must live as long as the program
    std::uint32_t buffers = 0;
    std::uint32_t pushBytes = 0; // at most 128
    std::vector<std::uint32_t> constants = {};
};

// A compiled compute shader. Immutable; belongs to its device.
class Kernel {
public:
    static Result<std::shared_ptr<const Kernel>> create(Device& device, const KernelCode& code);

    Kernel(Device& device, const KernelCode& code) : m_device(device), m_code(code) {}
    ~Kernel();
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    const KernelCode& code() const { return m_code; }
    VkPipeline pipeline() const { return m_pipeline; }
    VkPipelineLayout layout() const { return m_layout; }
    VkDescriptorSetLayout setLayout() const { return m_setLayout; }

private:
    Device& m_device;
    KernelCode m_code;
    VkDescriptorSetLayout m_setLayout = VK_NULL_HANDLE;
    VkPipelineLayout m_layout = VK_NULL_HANDLE;
    VkPipeline m_pipeline = VK_NULL_HANDLE;
};
using KernelPtr = std::shared_ptr<const Kernel>;

} // namespace wb::gpu
