// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/imgui_input.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cfloat>
#include <optional>

namespace wb::ui {
namespace {

namespace compat = gpu::imview;

struct KeyPair {
    int qt;
    ImGuiKey imgui;
};

// The keys that every version knows.
constexpr KeyPair keys[] = {{Qt::Key_Tab, ImGuiKey_Tab},
                            {Qt::Key_Backtab, ImGuiKey_Tab},
                            {Qt::Key_Left, ImGuiKey_LeftArrow},
                            {Qt::Key_Right, ImGuiKey_RightArrow},
                            {Qt::Key_Up, ImGuiKey_UpArrow},
                            {Qt::Key_Down, ImGuiKey_DownArrow},
                            {Qt::Key_PageUp, ImGuiKey_PageUp},
                            {Qt::Key_PageDown, ImGuiKey_PageDown},
                            {Qt::Key_Home, ImGuiKey_Home},
                            {Qt::Key_End, ImGuiKey_End},
                            {Qt::Key_Insert, ImGuiKey_Insert},
                            {Qt::Key_Delete, ImGuiKey_Delete},
                            {Qt::Key_Backspace, ImGuiKey_Backspace},
                            {Qt::Key_Space, ImGuiKey_Space},
                            {Qt::Key_Return, ImGuiKey_Enter},
                            {Qt::Key_Enter, compat::keypadEnter},
                            {Qt::Key_Escape, ImGuiKey_Escape},
                            {Qt::Key_A, ImGuiKey_A},
                            {Qt::Key_C, ImGuiKey_C},
                            {Qt::Key_V, ImGuiKey_V},
                            {Qt::Key_X, ImGuiKey_X},
                            {Qt::Key_Y, ImGuiKey_Y},
                            {Qt::Key_Z, ImGuiKey_Z}};

std::optional<ImGuiKey> keyFromKey(int key) {
    for (const KeyPair& pair : keys)
        if (pair.qt == key) return pair.imgui;
    return std::nullopt;
}

// On macOS Qt calls ⌘ control and control meta; Dear ImGui wants the keys as they are.
compat::Modifiers heldModifiers(Qt::KeyboardModifiers held) {
    const bool control = held.testFlag(Qt::ControlModifier), meta = held.testFlag(Qt::MetaModifier);
#ifdef Q_OS_MACOS
    return {meta, held.testFlag(Qt::ShiftModifier), held.testFlag(Qt::AltModifier), control};
#else
    return {control, held.testFlag(Qt::ShiftModifier), held.testFlag(Qt::AltModifier), meta};
#endif
}

// A modifier's own event does not have it set yet when it is pressed, and still has it when it is released.
Qt::KeyboardModifiers modifiersAfter(const QKeyEvent& event, bool down) {
    Qt::KeyboardModifiers held = event.modifiers();
    switch (event.key()) {
    case Qt::Key_Control: return held.setFlag(Qt::ControlModifier, down);
    case Qt::Key_Shift: return held.setFlag(Qt::ShiftModifier, down);
    case Qt::Key_Alt: return held.setFlag(Qt::AltModifier, down);
    case Qt::Key_Meta: return held.setFlag(Qt::MetaModifier, down);
    default: return held;
    }
}

// Control characters are keys, not text; AltGr, which types letters, comes as control and alt on Windows.
bool typesText(const QKeyEvent& event) {
    if (event.text().isEmpty() || !event.text().at(0).isPrint()) return false;
    return !event.modifiers().testFlag(Qt::ControlModifier) || event.modifiers().testFlag(Qt::AltModifier);
}

std::optional<int> buttonFromButton(Qt::MouseButton button) {
    switch (button) {
    case Qt::LeftButton: return 0;
    case Qt::RightButton: return 1;
    case Qt::MiddleButton: return 2;
    case Qt::BackButton: return 3;
    case Qt::ForwardButton: return 4;
    default: return std::nullopt;
    }
}

ImVec2 toImGui(const QPointF& point) { return {static_cast<float>(point.x()), static_cast<float>(point.y())}; }

} // namespace

void ImGuiInput::setModifiers(const compat::Modifiers& modifiers) {
    if (modifiers == m_modifiers) return;
    m_modifiers = modifiers;
    m_events.push_back({Kind::Other, [modifiers](ImGuiIO& io) { compat::addModifiers(io, modifiers); }});
}

void ImGuiInput::key(const QKeyEvent& event, bool down) {
    if (!down && event.isAutoRepeat()) return;
    setModifiers(heldModifiers(modifiersAfter(event, down)));
    if (const std::optional<ImGuiKey> key = keyFromKey(event.key()))
        m_events.push_back({Kind::Edge, [key, down](ImGuiIO& io) { compat::addKey(io, *key, down); }});
    if (down && typesText(event)) text(event.text());
}

void ImGuiInput::text(const QString& text) {
    m_events.push_back({Kind::Text, [utf8 = text.toUtf8()](ImGuiIO& io) { io.AddInputCharactersUTF8(utf8.constData()); }});
}

void ImGuiInput::mouseMove(const QPointF& position) {
    m_events.push_back({Kind::Move, [at = toImGui(position)](ImGuiIO& io) { compat::addMousePosition(io, at); }});
}

void ImGuiInput::mouseLeave() { mouseMove({-FLT_MAX, -FLT_MAX}); }

void ImGuiInput::mouseButton(const QMouseEvent& event, bool down) {
    mouseMove(event.position());
    setModifiers(heldModifiers(event.modifiers()));
    if (const std::optional<int> button = buttonFromButton(event.button()))
        m_events.push_back(
            {down ? Kind::Edge : Kind::Release, [button, down](ImGuiIO& io) { compat::addMouseButton(io, *button, down); }});
}

// Wheels turn in steps of an eighth of 15 degrees; touch pads know pixels, of which a line has about 16.
void ImGuiInput::wheel(const QWheelEvent& event) {
    constexpr double step = 120, line = 16;
    const QPointF turned = event.angleDelta().isNull() ? QPointF(event.pixelDelta()) / line : QPointF(event.angleDelta()) / step;
    mouseMove(event.position());
    setModifiers(heldModifiers(event.modifiers()));
    m_events.push_back({Kind::Other, [by = toImGui(turned)](ImGuiIO& io) { compat::addMouseWheel(io, by.x, by.y); }});
}

void ImGuiInput::focus(bool focused) {
    if (!focused) m_modifiers = {}; // no event comes for a key that is released outside
    m_events.push_back({Kind::Other, [focused](ImGuiIO& io) {
                            if (focused) io.AddFocusEvent(true);
                            else compat::releaseAll(io);
                        }});
}

void ImGuiInput::apply(ImGuiIO& io) {
    bool typed = false, moved = false;
    while (!m_events.empty()) {
        const Kind next = m_events.front().kind;
        if ((typed && next != Kind::Text) || (moved && next == Kind::Release)) return;
        const Event event = std::move(m_events.front());
        m_events.pop_front();
        event.apply(io);
        if (next == Kind::Edge || next == Kind::Release) return;
        typed = next == Kind::Text;
        moved = moved || next == Kind::Move;
    }
}

} // namespace wb::ui
