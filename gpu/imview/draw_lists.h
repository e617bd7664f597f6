// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/texture.h"

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace wb::gpu::imview {

// One draw call: `indexCount` indices from `firstIndex`, each plus `vertexOffset`, clipped to pixels of the target.
struct DrawCommand {
    int clipX = 0, clipY = 0, clipWidth = 0, clipHeight = 0; // inside the target and not empty
    TextureId texture = fontTexture;
    std::uint32_t indexCount = 0, firstIndex = 0;
    std::int32_t vertexOffset = 0;
};

// A frame of Dear ImGui as plain values, so that it can cross threads: what ImDrawData points at belongs to the context and is gone
// with the next frame. The lists are laid end to end; commands that draw nothing or are outside the target are omitted.
struct DrawLists {
    int width = 0, height = 0;                          // of the target in pixels: DisplaySize times FramebufferScale, rounded
    float scaleX = 0, scaleY = 0, moveX = 0, moveY = 0; // vertex position to clip coordinates (-1 … 1, y downwards)
    std::vector<ImDrawVert> vertices;                   // 20 bytes each: position and texture coordinates (f32), RGBA8
    std::vector<ImDrawIdx> indices;                     // 16 bits
    std::vector<DrawCommand> commands;

    bool isEmpty() const { return width <= 0 || height <= 0; }
    void clear(); // keeps the memory
};

// Copies, reusing the memory that `lists` has. User callbacks are called here, with the list and the command they are part of;
// ImDrawCallback_ResetRenderState has nothing to do, because every command carries all its state.
void copyDrawLists(const ImDrawData& data, DrawLists& lists);

} // namespace wb::gpu::imview
