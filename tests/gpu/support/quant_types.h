// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/quant/kernels.h"
#include "tests/gpu/support/sample.h"

namespace wb::test {

// Types whose quantizers are tested: at least one of every form of block, or all (sample.h).
inline std::vector<Dtype> quantTypes() {
    if (!runsAll())
        return {Dtype::Q4_0,   Dtype::Q8_0,   Dtype::Q4_K,  Dtype::Q6_K,  Dtype::Q3_K,
                Dtype::IQ4_XS, Dtype::IQ2_XS, Dtype::IQ3_S, Dtype::MXFP4, Dtype::TQ1_0};
    std::vector<Dtype> types;
    for (const gpu::QuantKernel& kernel : gpu::quantKernels()) types.push_back(kernel.dtype);
    return types;
}

} // namespace wb::test
