// SPDX-License-Identifier: MIT
#version 450

// A vertex of Dear ImGui: position in its own units, texture coordinates, RGBA8.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 textureCoordinates;
layout(location = 2) in vec4 colour;

layout(push_constant) uniform Push { vec2 scale, move; } push;

layout(location = 0) out vec2 outCoordinates;
layout(location = 1) out vec4 outColour;

void main() {
    outCoordinates = textureCoordinates;
    outColour = colour;
    gl_Position = vec4(position * push.scale + push.move, 0.0, 1.0);
}
