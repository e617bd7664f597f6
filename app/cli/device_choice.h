// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/context.h"
#include "core/base/problem.h"
#include "gpu/device/device.h"

namespace wb::cli {

// The graphics device that --device asks for; null for the CPU. `auto` takes a real GPU that passes its self-test, else the CPU: without
// a word but in the log where there is none, with a remark where it cannot be used. `gpu` takes software too where there is nothing
// else. Loads Vulkan unless the answer is `cpu`.
Result<gpu::DevicePtr> chooseDevice(const Context& context, std::vector<Problem>& remarks);

// As documents name it: "cpu" or "gpu:1".
std::string deviceName(const gpu::DevicePtr& device);

} // namespace wb::cli
