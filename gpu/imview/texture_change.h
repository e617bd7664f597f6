// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/texture.h"

#include <vector>

namespace wb::gpu::imview {

// What imview.vert and imview.frag are reported with every draw: 40 bytes of push constants.
struct Push {
    float scaleX, scaleY, moveX, moveY;
    float low = 0, span = 0, linearWidth = 1;
    std::uint32_t nan = 0, positiveInfinity = 0, negativeInfinity = 0;
};

// One change that the owner of a canvas asked for; applied in order. Creating an id that exists replaces that texture.
struct TextureChange {
    enum class Kind { Create, Update, Scale, Destroy } kind;
    TextureId texture;
    TextureRect rect = {};                 // Create: its size; Update: the part
    bool values = false;                   // Create: f32 texels
    Filter filter = Filter::Nearest;       // Create
    std::vector<std::uint32_t> words = {}; // Update: texels, f32 as their bits; Scale: the 256 colors
    std::uint32_t curve = 0;               // Scale
    Push push = {};                        // Scale: what the shader is reported of it
};

} // namespace wb::gpu::imview
