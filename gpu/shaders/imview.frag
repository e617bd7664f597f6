// SPDX-License-Identifier: MIT
#version 450

// The colour of a vertex times a texel. A texel of a value texture becomes a colour first: the twin of colourOf in
// gpu/imview/texture.cpp.
layout(location = 0) in vec2 coordinates;
layout(location = 1) in vec4 colour;

layout(set = 0, binding = 0) uniform sampler2D texels;
layout(set = 0, binding = 1) uniform sampler2D colours; // 256 x 1

// 0: texels are colours; 1: values, 2: values on a symmetric logarithm. A constant of the pipeline, because software devices run both
// sides of every branch.
layout(constant_id = 0) const uint curve = 0;

layout(push_constant) uniform Push {
    layout(offset = 16) float low; // of the curve, not of the values
    float span;
    float linearWidth;
    uint nan, positiveInfinity, negativeInfinity;
} push;

layout(location = 0) out vec4 outColour;

float symmetricLog(float x) {
    float size = abs(x);
    float result = size < 1e4 ? log(size + sqrt(size * size + 1.0)) : log(size) + 0.69314718;
    return x < 0.0 ? -result : result;
}

// NaN and infinities are told by their bits: a compiler may assume that isnan never holds.
vec4 valueColour(float value) {
    uint bits = floatBitsToUint(value);
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        if ((bits & 0x007fffffu) != 0u) return unpackUnorm4x8(push.nan);
        return unpackUnorm4x8((bits >> 31) == 0u ? push.positiveInfinity : push.negativeInfinity);
    }
    float along = curve == 2u ? symmetricLog(value / push.linearWidth) : value;
    float place = push.span > 0.0 ? clamp((along - push.low) / push.span, 0.0, 1.0) : 0.5;
    return texelFetch(colours, ivec2(int(place * 255.0 + 0.5), 0), 0);
}

void main() {
    vec4 texel = texture(texels, coordinates);
    outColour = colour * (curve == 0u ? texel : valueColour(texel.r));
}
