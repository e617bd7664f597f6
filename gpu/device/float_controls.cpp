// SPDX-License-Identifier: MIT
#include "gpu/device/float_controls.h"

#include "gpu/device/describe.h"

#include <array>
#include <cstring>
#include <string_view>

namespace wb::gpu {
namespace {

// Numbers of the SPIR-V specification, 3.49 (instructions), 3.6 (modes) and 3.31 (capabilities).
constexpr std::uint32_t opExtension = 10, opEntryPoint = 15, opExecutionMode = 16, opCapability = 17;
constexpr std::size_t headerWords = 5;

struct Control {
    bool FloatControls::* wish;
    std::uint32_t capability, mode;
};
constexpr std::array controlsKnown = {Control{&FloatControls::subnormals, 4464, 4459},
                                      Control{&FloatControls::specials, 4466, 4461}, Control{&FloatControls::rounding, 4467, 4462}};

using Words = std::vector<std::uint32_t>;

void add(Words& words, std::uint32_t operation, std::span<const std::uint32_t> operands) {
    words.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | operation);
    words.insert(words.end(), operands.begin(), operands.end());
}

Words extensionName() {
    constexpr std::string_view name = "SPV_KHR_float_controls";
    Words words(name.size() / 4 + 1);
    std::memcpy(words.data(), name.data(), name.size());
    return words;
}

} // namespace

FloatControls deviceFloatControls(VkPhysicalDevice device) {
    if (!isVulkan12(device) && !hasDeviceExtension(device, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME)) return {};
    VkPhysicalDeviceFloatControlsProperties floats{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &floats, {}};
    vkGetPhysicalDeviceProperties2(device, &all);
    constexpr auto none = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    return {floats.shaderDenormPreserveFloat32 != 0 && floats.denormBehaviorIndependence != none,
            floats.shaderSignedZeroInfNanPreserveFloat32 != 0,
            floats.shaderRoundingModeRTEFloat32 != 0 && floats.roundingModeIndependence != none};
}

Words withFloatControls(std::span<const std::uint32_t> words, FloatControls controls) {
    Words result(words.begin(), words.begin() + headerWords);
    bool pastCapabilities = false, pastEntry = false;
    std::uint32_t entry = 0;
    for (std::size_t at = headerWords; at < words.size(); at += words[at] >> 16) {
        const std::uint32_t operation = words[at] & 0xffff;
        if (operation != opCapability && !pastCapabilities) {
            for (const Control& control : controlsKnown)
                if (controls.*control.wish) add(result, opCapability, std::array{control.capability});
            add(result, opExtension, extensionName());
            pastCapabilities = true;
        }
        if (operation != opEntryPoint && entry != 0 && !pastEntry) {
            for (const Control& control : controlsKnown)
                if (controls.*control.wish) add(result, opExecutionMode, std::array{entry, control.mode, 32u});
            pastEntry = true;
        }
        if (operation == opEntryPoint) entry = words[at + 2];
        const auto instruction = words.subspan(at, words[at] >> 16);
        result.insert(result.end(), instruction.begin(), instruction.end());
    }
    return result;
}

} // namespace wb::gpu
