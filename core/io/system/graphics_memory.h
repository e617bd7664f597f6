// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace wb::io {

// Free bytes of the GPU with this many bytes of VRAM, as the system reports: Linux for AMD's devices (sysfs,
// mem_info_vram_total and mem_info_vram_used in `folder`), Windows by DXGI (the budget of this program's local memory). Sizes may
// differ by a hundredth from what a driver reports. Empty where no device or more than one has this size, and on other systems.
std::optional<std::uint64_t> freeGraphicsMemory(std::uint64_t bytes, const std::filesystem::path& folder = "/sys/class/drm");

} // namespace wb::io
