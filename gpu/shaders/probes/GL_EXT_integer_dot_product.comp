// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_integer_dot_product : require

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words { int words[]; };

void main() { words[0] = dotPacked4x8EXT(words[1], words[2]); }
