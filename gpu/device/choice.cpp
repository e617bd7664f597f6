// SPDX-License-Identifier: MIT
#include "gpu/device/choice.h"

#include <algorithm>

namespace wb::gpu {

const Instance::Found* bestOf(std::span<const Instance::Found> devices, Accept accept) {
    const auto isWished = [accept](const DeviceInfo& info) { return accept == Accept::AlsoSoftware || !info.software(); };
    const auto isBest = [&](const DeviceInfo& info) { return info.usable && isWished(info); };
    auto found = std::ranges::find_if(devices, isBest, &Instance::Found::info);
    if (found == devices.end()) found = std::ranges::find_if(devices, isWished, &Instance::Found::info);
    return found == devices.end() ? nullptr : &*found;
}

} // namespace wb::gpu
