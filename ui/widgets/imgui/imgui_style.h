// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include <QPalette>

namespace wb::ui {

// Gives Dear ImGui the colors of Qt's palette, so that it is dark where the window is.
void applyPalette(ImGuiStyle& style, const QPalette& palette);

} // namespace wb::ui
