// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "gpu/device/device_info.h"
#include "gpu/infer/fast_test.h"

// Which kernels multiply the weights of a model.
namespace wb::gpu::compute {

// Software devices serve tests, which compare bits.
inline bool mayBeFast(const DeviceInfo& device, infer::KernelSet set) {
    return set == infer::KernelSet::Fast || (set == infer::KernelSet::Auto && !device.software());
}

// Fast kernels that are wrong are never used, slower ones only where the user insists.
inline bool isUsed(const FastVerdict& verdict, infer::KernelSet set) {
    return set == infer::KernelSet::Fast ? verdict.isRight() : verdict.isBetter();
}

} // namespace wb::gpu::compute
