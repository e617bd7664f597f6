// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/imgui_style.h"

namespace wb::ui {
namespace {

ImVec4 toImGui(const QColor& color, double alpha = 1) {
    return {static_cast<float>(color.redF()), static_cast<float>(color.greenF()), static_cast<float>(color.blueF()),
            static_cast<float>(color.alphaF() * alpha)};
}

struct Pair {
    ImGuiCol imgui;
    QPalette::ColorRole qt;
    double alpha;
};

constexpr Pair pairs[] = {{ImGuiCol_Text, QPalette::WindowText, 1},
                          {ImGuiCol_TextDisabled, QPalette::PlaceholderText, 1},
                          {ImGuiCol_WindowBg, QPalette::Base, 1},
                          {ImGuiCol_PopupBg, QPalette::Base, 1},
                          {ImGuiCol_Border, QPalette::Mid, 1},
                          {ImGuiCol_FrameBg, QPalette::AlternateBase, 1},
                          {ImGuiCol_FrameBgHovered, QPalette::Highlight, .2},
                          {ImGuiCol_FrameBgActive, QPalette::Highlight, .3},
                          {ImGuiCol_Button, QPalette::Button, 1},
                          {ImGuiCol_ButtonHovered, QPalette::Highlight, .3},
                          {ImGuiCol_ButtonActive, QPalette::Highlight, .5},
                          {ImGuiCol_CheckMark, QPalette::Highlight, 1},
                          {ImGuiCol_SliderGrab, QPalette::Highlight, .8},
                          {ImGuiCol_SliderGrabActive, QPalette::Highlight, 1},
                          {ImGuiCol_Header, QPalette::Highlight, .3},
                          {ImGuiCol_HeaderHovered, QPalette::Highlight, .4},
                          {ImGuiCol_HeaderActive, QPalette::Highlight, .5},
                          {ImGuiCol_Separator, QPalette::Mid, 1},
                          {ImGuiCol_TextSelectedBg, QPalette::Highlight, .4},
                          {ImGuiCol_NavHighlight, QPalette::Highlight, 1}};

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

} // namespace

void applyPalette(ImGuiStyle& style, const QPalette& palette) {
    if (isDark(palette)) ImGui::StyleColorsDark(&style);
    else ImGui::StyleColorsLight(&style);
    for (const Pair& pair : pairs) style.Colors[pair.imgui] = toImGui(palette.color(pair.qt), pair.alpha);
    // Lines taken from the font atlas are soft at any scale but 1.
    style.AntiAliasedLinesUseTex = false;
}

} // namespace wb::ui
