// SPDX-License-Identifier: MIT
#pragma once

#include "core/tensor/dtype.h"
#include "gpu/device/kernel.h"

#include <span>

namespace wb::gpu {

// Facts about the shader of one target type for the host (gpu/shaders/quant).
struct QuantKernel {
    Dtype dtype = Dtype::Unknown;
    std::span<const std::uint32_t> words;
    std::uint32_t blocksPerGroup = 1;                 // blocks of one workgroup
    bool weighted = false;                            // has a form with column weights
    bool needsMeans = false;                          // which wants the mean square of each row
    std::vector<std::uint32_t> (*tables)() = nullptr; // the content of its table buffer
};

// Push constants of a quantizing kernel.
struct QuantPush {
    std::uint32_t blocks;
    std::uint32_t blocksPerRow;
};

// The shader in one of its forms: with column weights or without; with a bit set in its last buffer for each block that a device
// which flushes subnormal numbers may get wrong, or without. Its buffers: values, weights, blocks, means, table, marks.
KernelCode quantizerCode(const QuantKernel& kernel, bool weighted, bool marks);

// Null for a type that has no shader: F32, which is a copy.
const QuantKernel* findQuantKernel(Dtype dtype);
std::span<const QuantKernel> quantKernels();

} // namespace wb::gpu
