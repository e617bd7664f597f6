// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <filesystem>

namespace wb::gpu {

// Compiled pipelines of a device, kept between starts so that only the first use of a shader waits for the driver's compiler. One
// file a device and driver, which all programs share, after a check value: a driver must not be fed a damaged file. A null folder
// (empty path) keeps nothing; whatever goes wrong with the file costs time only and is not reported.
VkPipelineCache loadPipelineCache(Device& device, const std::filesystem::path& folder);

// Adds what the device has compiled to the file, which another program may be writing too: it is replaced whole, and not touched
// where there is nothing to add. Nobody else may use the device's cache meanwhile.
void savePipelineCache(Device& device, const std::filesystem::path& folder);

// Larger ones are neither read nor written.
inline constexpr std::size_t maxPipelineBytes = 64u << 20;

// The file: SHA-256 of the rest, then the driver's data.
std::filesystem::path pipelineFile(const Device& device, const std::filesystem::path& folder);

// The driver's data; empty where the file is missing, damaged, too large or another device's.
std::vector<std::byte> readPipelines(const Device& device, const std::filesystem::path& folder);

} // namespace wb::gpu
