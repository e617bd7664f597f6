// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/infer/fast_test.h"

#include <span>

namespace wb::gpu::compute {

// Whether a device computes the same where the workgroup that finishes last does the small steps after products (gpu::FollowUp) as
// where each is a dispatch: it does not if a workgroup reads results of others before they are written. A generated model, token by
// token: with exact kernels bit by bit, then with the fast ones that these verdicts allow, if any. Some milliseconds; tenths of a
// second on a software device.
Result<bool> testFollowUps(const DevicePtr& device, std::span<const FastVerdict> verdicts, infer::KernelSet set);

// The same, but tested once for each device, driver and program: the result stays for the process, and in the cache folder
// (gpu::Setup) if there is one. False where the test fails, which is not kept.
bool mayFollowUp(const DevicePtr& device, std::span<const FastVerdict> verdicts, infer::KernelSet set);

} // namespace wb::gpu::compute
