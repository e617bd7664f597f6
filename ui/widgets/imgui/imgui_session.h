// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/imgui/imgui_input.h"

#include <QElapsedTimer>
#include <QFont>
#include <QPalette>
#include <QPointF>
#include <QSizeF>

#include <functional>
#include <span>

namespace wb::ui {

// One context of Dear ImGui: input goes in, frames come out. It is made current at every entry, so that several live side by side.
// GUI thread only.
class ImGuiSession {
public:
    ImGuiSession();
    ~ImGuiSession();
    ImGuiSession(const ImGuiSession&) = delete;
    ImGuiSession& operator=(const ImGuiSession&) = delete;

    ImGuiInput& input() { return m_input; }
    void setPalette(const QPalette& palette);

    // The atlas of the font at that scale; true where it was made again, so that its texture must follow.
    bool setFont(const QFont& font, qreal scale);
    struct Atlas {
        int width, height;
        std::span<const std::uint32_t> texels;
    };
    Atlas atlas();

    // Runs frames until all input has been seen; the last one's draw data stay valid until the next call. `build` is called in each
    // of them, inside one undecorated window that fills `size` logical pixels.
    const ImDrawData& run(QSizeF size, qreal scale, const std::function<void(ImDrawList&)>& build);

    // How the last frame left things.
    bool wantsKeys() const { return m_wantsKeys; } // something in it has the keyboard
    bool wantsText() const { return m_wantsText; } // and it is a field for text
    bool isSettling() const { return m_settling; } // the next frame may look different without any further input
    Qt::CursorShape cursor() const { return m_cursor; }
    QPointF textCursor() const { return m_textCursor; }

private:
    class Current; // makes the context current as long as it lives
    void frame(const std::function<void(ImDrawList&)>& build);
    static void moveTextCursor(ImVec2 position);

    ImGuiContext* m_context;
    ImGuiInput m_input;
    QElapsedTimer m_clock;
    QFont m_font;
    qreal m_fontScale = 0;
    bool m_wantsKeys = false, m_wantsText = false, m_settling = false;
    Qt::CursorShape m_cursor = Qt::ArrowCursor;
    QPointF m_textCursor;
};

} // namespace wb::ui
