// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"

#include <span>

namespace wb::gpu {

// A device buffer that contains these words, for tables that stay. Waits until they are there.
Result<BufferPtr> uploadWords(const DevicePtr& device, std::span<const std::uint32_t> words);

} // namespace wb::gpu
