// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"
#include "gpu/device/device.h"

namespace wb::gpu {

// When a device is used: whenever it can, or where it is no slower than the threads of the CPU, which is measured type by type; a job of
// less than 32 Mi values is then left to the CPU, so that it does not wait for shaders.
enum class Use { Always, WhereFaster };

// Quantizes on a device. Before a type is used for the first time, the self-test has both sides quantize the same rows; on any difference that
// type goes to the CPU for good, as everything does once the device is lost. remarks() says so.
// `threads` are those of the CPU that would do the work otherwise (0: all).
std::unique_ptr<quant::Backend> makeQuantizer(DevicePtr device, Use use = Use::Always, unsigned threads = 0);

// The self-test of one type by itself: an Error that names the type where the device's bytes are not the CPU's. Types that have no
// shader pass.
Result<void> testQuantizer(const DevicePtr& device, Dtype dtype);

} // namespace wb::gpu
