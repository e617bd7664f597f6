// SPDX-License-Identifier: MIT
#pragma once

#include "core/stats/slabs.h"

// The engines of the CPU backend, chosen by the stored type.
namespace wb::stats {

// F32 and block types: values of f32. Two passes.
Result<TensorStats> computeF32(SlabTask& task);
inline constexpr std::uint64_t passesF32 = 2;

// Types of at most 16 bits an element: the distribution of their codes yields everything but the indices of the largest. Two
// passes; the second one skips most slabs.
Result<TensorStats> computeCoded(SlabTask& task);
inline constexpr std::uint64_t passesCoded = 2;

// Everything that does not fit f32. As many passes as the value has 16-bit digits.
Result<TensorStats> computeWide(SlabTask& task);
std::uint64_t passesWide(Dtype dtype);

// One more pass, any type. `absmax` is the tensor's.
Result<Channels> computeChannels(SlabTask& task, double absmax);

} // namespace wb::stats
