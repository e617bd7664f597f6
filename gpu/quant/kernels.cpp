// SPDX-License-Identifier: MIT
#include "gpu/quant/kernels.h"

#include "gpu/quant/tables.h"
#include "gpu/shaders/quant_bf16.spv.h"
#include "gpu/shaders/quant_f16.spv.h"
#include "gpu/shaders/quant_iq1_m.spv.h"
#include "gpu/shaders/quant_iq1_s.spv.h"
#include "gpu/shaders/quant_iq2_s.spv.h"
#include "gpu/shaders/quant_iq2_xs.spv.h"
#include "gpu/shaders/quant_iq2_xxs.spv.h"
#include "gpu/shaders/quant_iq3_s.spv.h"
#include "gpu/shaders/quant_iq3_xxs.spv.h"
#include "gpu/shaders/quant_iq4_nl.spv.h"
#include "gpu/shaders/quant_iq4_xs.spv.h"
#include "gpu/shaders/quant_mxfp4.spv.h"
#include "gpu/shaders/quant_nvfp4.spv.h"
#include "gpu/shaders/quant_q1_0.spv.h"
#include "gpu/shaders/quant_q2_0.spv.h"
#include "gpu/shaders/quant_q2_k.spv.h"
#include "gpu/shaders/quant_q3_k.spv.h"
#include "gpu/shaders/quant_q4_0.spv.h"
#include "gpu/shaders/quant_q4_1.spv.h"
#include "gpu/shaders/quant_q4_k.spv.h"
#include "gpu/shaders/quant_q5_0.spv.h"
#include "gpu/shaders/quant_q5_1.spv.h"
#include "gpu/shaders/quant_q5_k.spv.h"
#include "gpu/shaders/quant_q6_k.spv.h"
#include "gpu/shaders/quant_q8_0.spv.h"
#include "gpu/shaders/quant_tq1_0.spv.h"
#include "gpu/shaders/quant_tq2_0.spv.h"

#include <algorithm>
#include <array>

namespace wb::gpu {
namespace {

// The third column is 64 divided by the shader's LANES.
constexpr std::array kernels = {
    QuantKernel{Dtype::F16, shaders::quant_f16, 128},
    QuantKernel{Dtype::BF16, shaders::quant_bf16, 128},
    QuantKernel{Dtype::Q4_0, shaders::quant_q4_0, 64, true, true},
    QuantKernel{Dtype::Q4_1, shaders::quant_q4_1, 64, true, true},
    QuantKernel{Dtype::Q5_0, shaders::quant_q5_0, 64, true, true},
    QuantKernel{Dtype::Q5_1, shaders::quant_q5_1, 64, true, true},
    QuantKernel{Dtype::Q8_0, shaders::quant_q8_0, 64},
    QuantKernel{Dtype::Q1_0, shaders::quant_q1_0, 16},
    QuantKernel{Dtype::Q2_0, shaders::quant_q2_0, 32},
    QuantKernel{Dtype::TQ1_0, shaders::quant_tq1_0, 8},
    QuantKernel{Dtype::TQ2_0, shaders::quant_tq2_0, 8},
    QuantKernel{Dtype::MXFP4, shaders::quant_mxfp4, 64, false, false, logarithmTable},
    QuantKernel{Dtype::NVFP4, shaders::quant_nvfp4, 16},
    QuantKernel{Dtype::Q2_K, shaders::quant_q2_k, 4, true},
    QuantKernel{Dtype::Q3_K, shaders::quant_q3_k, 4, true},
    QuantKernel{Dtype::Q4_K, shaders::quant_q4_k, 8, true},
    QuantKernel{Dtype::Q5_K, shaders::quant_q5_k, 8, true},
    QuantKernel{Dtype::Q6_K, shaders::quant_q6_k, 4, true},
    QuantKernel{Dtype::IQ4_NL, shaders::quant_iq4_nl, 64, true},
    QuantKernel{Dtype::IQ4_XS, shaders::quant_iq4_xs, 8, true},
    QuantKernel{Dtype::IQ2_XXS, shaders::quant_iq2_xxs, 8, true, false, gridTableIq2Xxs},
    QuantKernel{Dtype::IQ2_XS, shaders::quant_iq2_xs, 4, true, false, gridTableIq2Xs},
    QuantKernel{Dtype::IQ2_S, shaders::quant_iq2_s, 4, true, false, gridTableIq2S},
    QuantKernel{Dtype::IQ3_XXS, shaders::quant_iq3_xxs, 8, true, false, gridTableIq3Xxs},
    QuantKernel{Dtype::IQ3_S, shaders::quant_iq3_s, 8, true, false, gridTableIq3S},
    QuantKernel{Dtype::IQ1_S, shaders::quant_iq1_s, 8, true, false, gridTableIq1},
    QuantKernel{Dtype::IQ1_M, shaders::quant_iq1_m, 4, true, false, gridTableIq1},
};

} // namespace

std::span<const QuantKernel> quantKernels() { return kernels; }

KernelCode quantizerCode(const QuantKernel& kernel, bool weighted, bool marks) {
    return {name(kernel.dtype), kernel.words, 6, sizeof(QuantPush), {weighted ? 1u : 0u, marks ? 1u : 0u}};
}

const QuantKernel* findQuantKernel(Dtype dtype) {
    const auto found = std::ranges::find(kernels, dtype, &QuantKernel::dtype);
    return found == kernels.end() ? nullptr : &*found;
}

} // namespace wb::gpu
