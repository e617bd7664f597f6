// SPDX-License-Identifier: MIT
#include "gpu/imview/draw_lists.h"

#include "gpu/imview/imgui_compat.h"

#include <algorithm>
#include <cmath>

namespace wb::gpu::imview {
namespace {

static_assert(sizeof(ImDrawVert) == 20, "imview.vert reads 20 bytes a vertex");
static_assert(sizeof(ImDrawIdx) == 2, "the index buffer is bound with 16 bits");

void setTransform(const ImDrawData& data, DrawLists& lists) {
    lists.width = static_cast<int>(std::lround(data.DisplaySize.x * data.FramebufferScale.x));
    lists.height = static_cast<int>(std::lround(data.DisplaySize.y * data.FramebufferScale.y));
    if (lists.isEmpty()) return;
    // From whole pixels, not from DisplaySize: at a scale of 1.5 the two differ, and lines would drift off the pixel grid.
    lists.scaleX = 2 * data.FramebufferScale.x / static_cast<float>(lists.width);
    lists.scaleY = 2 * data.FramebufferScale.y / static_cast<float>(lists.height);
    lists.moveX = -1 - data.DisplayPos.x * lists.scaleX;
    lists.moveY = -1 - data.DisplayPos.y * lists.scaleY;
}

// Clip rectangles may reach outside the target, which Vulkan forbids for scissors. False: nothing is left.
bool setClip(const ImDrawData& data, const ImVec4& clip, const DrawLists& lists, DrawCommand& command) {
    const auto pixel = [](float position, float origin, float scale, int size) {
        return static_cast<int>(std::clamp((position - origin) * scale, 0.0f, static_cast<float>(size)));
    };
    const ImVec2 origin = data.DisplayPos, scale = data.FramebufferScale;
    command.clipX = pixel(clip.x, origin.x, scale.x, lists.width);
    command.clipY = pixel(clip.y, origin.y, scale.y, lists.height);
    command.clipWidth = pixel(clip.z, origin.x, scale.x, lists.width) - command.clipX;
    command.clipHeight = pixel(clip.w, origin.y, scale.y, lists.height) - command.clipY;
    return command.clipWidth > 0 && command.clipHeight > 0;
}

void copyList(const ImDrawData& data, const ImDrawList& list, DrawLists& lists) {
    const auto firstVertex = static_cast<std::uint32_t>(lists.vertices.size());
    const auto firstIndex = static_cast<std::uint32_t>(lists.indices.size());
    lists.vertices.insert(lists.vertices.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
    lists.indices.insert(lists.indices.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
    for (const ImDrawCmd& from : list.CmdBuffer) {
        if (from.UserCallback) {
            if (from.UserCallback != ImDrawCallback_ResetRenderState) from.UserCallback(&list, &from);
            continue;
        }
        DrawCommand command;
        if (from.ElemCount == 0 || !setClip(data, from.ClipRect, lists, command)) continue;
        command.texture = textureNumber(from);
        command.indexCount = from.ElemCount;
        command.firstIndex = firstIndex + from.IdxOffset;
        command.vertexOffset = static_cast<std::int32_t>(firstVertex + from.VtxOffset);
        lists.commands.push_back(command);
    }
}

} // namespace

void DrawLists::clear() {
    width = height = 0;
    vertices.clear();
    indices.clear();
    commands.clear();
}

void copyDrawLists(const ImDrawData& data, DrawLists& lists) {
    lists.clear();
    setTransform(data, lists);
    if (lists.isEmpty()) return;
    for (int list = 0; list < drawListCount(data); ++list) copyList(data, *data.CmdLists[list], lists);
}

} // namespace wb::gpu::imview
