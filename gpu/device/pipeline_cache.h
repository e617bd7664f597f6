// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <filesystem>

namespace wb::gpu {

// Compiled pipelines of a device, kept between starts so that only the first use of a shader waits for the driver's compiler. One file a
// device and driver, behind a check value: a driver must not be fed a damaged file. A null folder (empty path) keeps nothing; whatever
// goes wrong with the file costs time only and is not reported.
VkPipelineCache loadPipelineCache(Device& device, const std::filesystem::path& folder);
void savePipelineCache(Device& device, const std::filesystem::path& folder);

} // namespace wb::gpu
