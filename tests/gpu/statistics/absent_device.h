// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "gpu/device/kernel.h"

#include <string>

namespace wb::gpu {

// Statistics that the compiler of a driver gives of a shader (VK_KHR_pipeline_executable_properties).
struct ShaderStatistics {
    std::uint64_t vectorRegisters = 0; // of an invocation
    std::uint64_t spilled = 0;         // registers of both kinds that are kept in memory
    std::uint64_t scratch = 0;         // bytes of memory of a subgroup, spilled registers and indexed arrays
    std::uint64_t sharedBytes = 0;     // of a workgroup
    std::uint64_t subgroups = 0;       // that a SIMD unit holds at once
    std::uint64_t codeBytes = 0;
    double bytesOfLoad = 0; // of an invocation by the mean instruction that reads a buffer; 0: none, or no text
};

// A GPU that this machine need not have: Mesa's RADV compiles for any family of AMD's that it knows, and executes nothing
// (RADV_FORCE_FAMILY; mesa/mesa, src/amd/vulkan/winsys/null). NotFound where the driver is not installed or does not know the
// family.
class AbsentDevice {
public:
    static Result<AbsentDevice> open(const char* family);
    AbsentDevice(AbsentDevice&& other) noexcept;
    AbsentDevice& operator=(AbsentDevice&&) = delete;
    ~AbsentDevice();

    const std::string& driver() const { return m_driver; }
    Result<ShaderStatistics> compile(const KernelCode& code) const;

private:
    AbsentDevice() = default;
    Result<void> create(const char* family);
    Result<ShaderStatistics> read(VkPipeline pipeline) const;
    Result<std::string> readText(VkPipeline pipeline) const; // assembly; empty: the driver shows none

    std::string m_driver; // its name and version
    VkInstance m_instance = VK_NULL_HANDLE;
    VkPhysicalDevice m_physical = VK_NULL_HANDLE;
    VkDevice m_device = VK_NULL_HANDLE;
    VolkDeviceTable m_vk{};
    VkDescriptorSetLayout m_set = VK_NULL_HANDLE; // more than any shader has
    VkPipelineLayout m_layout = VK_NULL_HANDLE;
};

} // namespace wb::gpu
