// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "gpu/infer/fast_test.h"

// Which kernels multiply the weights of a model.
namespace wb::gpu::compute {

// Fast kernels that are wrong are never used, slower ones only where the user insists.
inline bool isUsed(const FastVerdict& verdict, infer::KernelSet set) {
    return set == infer::KernelSet::Fast ? verdict.isRight() : verdict.isBetter();
}

// The same for batches.
inline bool isUsedForBatches(const FastVerdict& verdict, infer::KernelSet set) {
    return isUsed(verdict, set) && (set == infer::KernelSet::Fast || verdict.batchSpeedup >= FastVerdict::minSpeedup);
}

} // namespace wb::gpu::compute
