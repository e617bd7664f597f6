// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include <cstdint>

// The only place that knows that Dear ImGui has versions. Everything else is written against the functions below, which do the same
// from 1.86 (Debian 12) to the newest; docs/CHANGELOG.txt of github.com/ocornut/imgui names each change.
namespace wb::gpu::imview {

// Since 1.91.4 a texture's id is an integer, before it was a pointer. Ours is a small number in either.
inline ImTextureID imguiTexture(std::uint32_t id) {
#if IMGUI_VERSION_NUM >= 19140
    return static_cast<ImTextureID>(id);
#else
    return reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(id));
#endif
}

inline std::uint32_t textureNumber(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM >= 19140
    return static_cast<std::uint32_t>(command.GetTexID());
#else
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(command.GetTexID()));
#endif
}

inline void setFontTexture(ImFontAtlas& atlas, std::uint32_t id) { atlas.SetTexID(imguiTexture(id)); }

inline void setTexture(ImDrawCmd& command, std::uint32_t id) {
#if IMGUI_VERSION_NUM >= 19200
    command.TexRef = ImTextureRef(imguiTexture(id));
#else
    command.TextureId = imguiTexture(id);
#endif
}

// Where our own glyph is in the atlas, in texels.
struct AtlasPlace {
    int x, y, width, height;
};

inline AtlasPlace atlasPlace(ImFontAtlas& atlas, int rectangle) {
#if IMGUI_VERSION_NUM >= 19200
    ImFontAtlasRect place;
    return atlas.GetCustomRect(rectangle, &place) ? AtlasPlace{place.x, place.y, place.w, place.h} : AtlasPlace{};
#else
    const ImFontAtlasCustomRect& place = *atlas.GetCustomRectByIndex(rectangle);
    return {place.X, place.Y, place.Width, place.Height};
#endif
}

inline int drawListCount(const ImDrawData& data) {
#if IMGUI_VERSION_NUM >= 18980
    return data.CmdLists.Size;
#else
    return data.CmdListsCount;
#endif
}

#if IMGUI_VERSION_NUM >= 18700
inline constexpr ImGuiKey keypadEnter = ImGuiKey_KeypadEnter;
#else
inline constexpr ImGuiKey keypadEnter = ImGuiKey_KeyPadEnter;
#endif

// Once for a new context.
inline void prepareKeys([[maybe_unused]] ImGuiIO& io) {
#if IMGUI_VERSION_NUM < 18700
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
}

inline void addKey(ImGuiIO& io, ImGuiKey key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(key, down);
#else
    io.KeysDown[key] = down;
#endif
}

// The physical modifier keys: on macOS `super` is ⌘. Since 1.90.7 Dear ImGui swaps it with control there by itself.
struct Modifiers {
    bool control = false, shift = false, alt = false, super = false;
    bool operator==(const Modifiers&) const = default;
};

inline void addModifiers(ImGuiIO& io, const Modifiers& keys) {
#if IMGUI_VERSION_NUM >= 18900
    io.AddKeyEvent(ImGuiMod_Ctrl, keys.control);
    io.AddKeyEvent(ImGuiMod_Shift, keys.shift);
    io.AddKeyEvent(ImGuiMod_Alt, keys.alt);
    io.AddKeyEvent(ImGuiMod_Super, keys.super);
#elif IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(ImGuiKey_ModCtrl, keys.control);
    io.AddKeyEvent(ImGuiKey_ModShift, keys.shift);
    io.AddKeyEvent(ImGuiKey_ModAlt, keys.alt);
    io.AddKeyEvent(ImGuiKey_ModSuper, keys.super);
#else
    io.KeyCtrl = keys.control;
    io.KeyShift = keys.shift;
    io.KeyAlt = keys.alt;
    io.KeySuper = keys.super;
#endif
}

inline void addMousePosition(ImGuiIO& io, ImVec2 position) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(position.x, position.y);
#else
    io.MousePos = position;
#endif
}

inline void addMouseButton(ImGuiIO& io, int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMouseButtonEvent(button, down);
#else
    io.MouseDown[button] = down;
#endif
}

inline void addMouseWheel(ImGuiIO& io, float x, float y) {
#if IMGUI_VERSION_NUM >= 18700
    io.AddMouseWheelEvent(x, y);
#else
    io.MouseWheelH += x;
    io.MouseWheel += y;
#endif
}

// Drops every key and button that is held, as when the window loses the focus.
inline void releaseAll(ImGuiIO& io) {
    io.AddFocusEvent(false);
#if IMGUI_VERSION_NUM < 18700
    for (bool& key : io.KeysDown) key = false;
    for (bool& button : io.MouseDown) button = false;
    addModifiers(io, {});
#endif
}

using GetClipboard = const char* (*)();
using SetClipboard = void (*)(const char* utf8);

// Clipboard functions moved from the io to the platform io in 1.91.1; both are of the current context. `get` returns text that
// stays valid until its next call.
template <GetClipboard get, SetClipboard set>
void setClipboard() {
#if IMGUI_VERSION_NUM >= 19110
    ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) { return get(); };
    ImGui::GetPlatformIO().Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { set(text); };
#else
    ImGui::GetIO().GetClipboardTextFn = [](void*) { return get(); };
    ImGui::GetIO().SetClipboardTextFn = [](void*, const char* text) { set(text); };
#endif
}

// `moved` is reported where the text cursor is, so that an input method can open its window next to it. ImeSetInputScreenPosFn
// (1.86), a viewport function (1.87), Platform_SetImeDataFn (1.91.1).
using MoveInput = void (*)(ImVec2 position);

template <MoveInput moved>
void setInputMethod() {
#if IMGUI_VERSION_NUM >= 19110
    ImGui::GetPlatformIO().Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
        moved(data->InputPos);
    };
#elif IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().SetPlatformImeDataFn = [](ImGuiViewport*, ImGuiPlatformImeData* data) { moved(data->InputPos); };
#else
    ImGui::GetIO().ImeSetInputScreenPosFn = [](int x, int y) { moved(ImVec2(static_cast<float>(x), static_cast<float>(y))); };
#endif
}

} // namespace wb::gpu::imview
