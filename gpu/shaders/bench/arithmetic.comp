// SPDX-License-Identifier: MIT
#version 450
// As many multiplications and additions a second as the device can do, each rounded by itself as the quantizers need them: eight
// chains of four that do not wait for each other, 256 steps of two operations: 16384 an invocation.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Numbers { float values[]; } numbers;

const uint steps = 256u;

void main() {
    uint at = gl_GlobalInvocationID.x;
    vec4 factor = vec4(0.9999, 0.9998, 0.9997, 0.9996) * numbers.values[at];
    precise vec4 a = factor, b = factor + 1.0, c = factor + 2.0, d = factor + 3.0;
    precise vec4 e = factor + 4.0, f = factor + 5.0, g = factor + 6.0, h = factor + 7.0;
    for (uint i = 0u; i < steps; ++i) {
        a = a * factor + 1.0;
        b = b * factor + 1.0;
        c = c * factor + 1.0;
        d = d * factor + 1.0;
        e = e * factor + 1.0;
        f = f * factor + 1.0;
        g = g * factor + 1.0;
        h = h * factor + 1.0;
    }
    vec4 all = a + b + c + d + e + f + g + h;
    numbers.values[at] = all.x + all.y + all.z + all.w;
}
