// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// The causal convolution of ConvOp (core/infer/graph/operations.h), in place, with its gates and its activation: an invocation has one
// channel, and the positions with one remainder by the dilation. Twin: convolve of core/infer/cpu/kernels/recurrent_kernels.h.
#include "infer/batch.h"
layout(local_size_x = WB_LANES) in;
layout(constant_id = 0) const uint TAPS = 4; // tokens that are seen, the present one included
layout(constant_id = 1) const bool BIASED = false;
layout(constant_id = 2) const uint ACTIVATION = WB_NO_PLACE; // none
layout(constant_id = 3) const bool FUSES = true;
#include "infer/exact_steps.glsl"

layout(binding = 0) readonly buffer Batch { uint batch[]; };
layout(binding = 1) buffer Rows { float rows[]; };              // [token][stride]
layout(binding = 2) readonly buffer Kernel { float kernel_[]; }; // [channels][TAPS]
layout(binding = 3) readonly buffer Bias { float bias[]; };      // [channels]
layout(binding = 4) buffer State { float state[]; };             // [dilation][TAPS - 1][channels], the oldest first
layout(push_constant) uniform Push {
    uint stride, first, channels, dilation;
    uint inputGates, outputGates; // where they are in a row; WB_NO_PLACE: none
};

void main() {
    uint channel = gl_GlobalInvocationID.x, token = gl_WorkGroupID.y, tokens = batch[WB_BATCH_TOKENS];
    if (channel >= channels || token >= tokens) return;
    uint history = (batch[WB_BATCH_POSITION] + token) % dilation * (TAPS - 1) * channels + channel;
    float inputs[WB_MAX_TAPS]; // the oldest first
    for (uint j = 0; j + 1 < TAPS; ++j) inputs[j] = state[history + j * channels];
    for (; token < tokens; token += dilation) {
        uint row = token * stride, at = row + first + channel;
        precise float input_ = rows[at] * (inputGates != WB_NO_PLACE ? rows[row + inputGates + channel] : 1.0);
        inputs[TAPS - 1] = input_;
        float sum = BIASED ? bias[channel] : 0.0;
        for (uint j = 0; j < TAPS; ++j) sum = fused(kernel_[channel * TAPS + j], inputs[j], sum);
        if (ACTIVATION != WB_NO_PLACE) sum = activated(ACTIVATION, sum, 1.0);
        precise float result = sum * (outputGates != WB_NO_PLACE ? rows[row + outputGates + channel] : 1.0);
        rows[at] = result;
        for (uint j = 0; j + 1 < TAPS; ++j) inputs[j] = inputs[j + 1];
    }
    for (uint j = 0; j + 1 < TAPS; ++j) state[history + j * channels] = inputs[j];
}
