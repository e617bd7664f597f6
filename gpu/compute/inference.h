// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/backend.h"
#include "gpu/compute/compute_device.h"

namespace wb::gpu::compute {

// Runs models on the device of this moment, as far as it computes them and its memory contains them; the CPU runs the rest, and
// takes over where the device fails, in the middle of an answer too. The remarks of placements and engines report it.
std::unique_ptr<infer::Backend> makeInference(const ComputeDevice& device);

} // namespace wb::gpu::compute
