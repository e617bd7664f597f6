// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/imgui_compat.h"

#include <QString>

#include <deque>
#include <functional>

class QInputMethodEvent;
class QKeyEvent;
class QMouseEvent;
class QPointF;
class QWheelEvent;

namespace wb::ui {

// What Qt's events mean to Dear ImGui, in their order. A frame takes them up to and including one press or release, of which
// versions below 1.87 would see neither if both came in one frame; up to where the mouse was when a button was let go, so that a
// drag ends there; and up to the end of a text, because a modifier pressed after it would make a shortcut of it.
class ImGuiInput {
public:
    void key(const QKeyEvent& event, bool down); // and the text it types
    void text(const QString& text);
    void mouseMove(const QPointF& position);
    void mouseLeave();
    void mouseButton(const QMouseEvent& event, bool down);
    void wheel(const QWheelEvent& event);
    void focus(bool focused);

    bool isEmpty() const { return m_events.empty(); }

    // Hands the events of the next frame to the current context.
    void apply(ImGuiIO& io);

private:
    enum class Kind { Move, Text, Edge, Release, Other };
    struct Event {
        Kind kind;
        std::function<void(ImGuiIO&)> apply;
    };
    void setModifiers(const gpu::imview::Modifiers& modifiers);

    gpu::imview::Modifiers m_modifiers; // after all events
    std::deque<Event> m_events;
};

} // namespace wb::ui
