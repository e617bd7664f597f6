// SPDX-License-Identifier: MIT
#pragma once

#include "core/infer/engine_options.h"
#include "gpu/infer/fast_test.h"

#include <string>

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

// The kernels of these types of weights, and of attention, by verdicts on their forms; a type without one has exact kernels.
FastTypes chooseKernels(std::span<const FastVerdict> verdicts, std::span<const Dtype> types, infer::KernelSet set);

// Why a form is not used if the user does not choose: an English fragment such as "wrong: error 0.002" or "0.4x the speed of the
// exact kernel". Empty: it is used, or another form is faster.
std::string refusal(const FastVerdict& verdict);

} // namespace wb::gpu::compute
