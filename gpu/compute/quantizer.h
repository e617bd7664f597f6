// SPDX-License-Identifier: MIT
#pragma once

#include "core/quant/backend.h"
#include "gpu/compute/compute_device.h"
#include "gpu/quant/engine.h"

namespace wb::gpu::compute {

// Quantizes one job on the chosen device, which is opened now: call it when the job's first work exists. Falls back to the
// CPU where the device fails, as a whole or for one type; remarks() reports it. Never null. The result keeps the device of this
// moment.
//
// Before a type is used on the device, the self-test of gpu/quant compares its bytes with the CPU's. An automatic choice also
// leaves to the CPU the types that `threads` of it (0: all) quantize faster, and jobs of less than 32 Mi values, which would
// wait for shaders.
std::shared_ptr<quant::Backend> makeQuantizer(const ComputeDevice& device, unsigned threads);

// Times the device, from rows in RAM to blocks there and with several callers at a time as in a job, and one thread of the
// CPU with rows of the self-test, twice each, and adds the results to the table, those of the CPU as if all `threads`
// (0: all) had worked. Rows with column weights where `weighted`.
Result<void> measureQuantizing(QuantEngine& engine, const QuantKernel& kernel, bool weighted, quant::Backend& cpu, unsigned threads,
                               SpeedTable& speeds);

} // namespace wb::gpu::compute
