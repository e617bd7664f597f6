// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/device/device.h"
#include "gpu/infer/layout.h"

namespace wb::gpu {

// Multiplies known rows of a type by known activations, one token and several, and attends to known keys and values: Unsupported
// where the device's numbers are not the host's.
Result<void> testInference(const DevicePtr& device, const WeightLayout& layout);

// The same of the delta rule and the state space of recurrent layers, for two tokens.
Result<void> testRecurrence(const DevicePtr& device);

} // namespace wb::gpu
