// SPDX-License-Identifier: MIT
// How events of Qt reach Dear ImGui.
#include "ui/widgets/imgui/imgui_session.h"
#include "ui/widgets/imgui/imgui_widget.h"

#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace wb::ui {

// While a field has the keyboard, letters are text and not the window's shortcuts.
bool ImGuiWidget::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && m_session && m_session->wantsText()) event->accept();
    return QWidget::event(event);
}

void ImGuiWidget::key(QKeyEvent* event, bool down) {
    session().input().key(*event, down);
    event->setAccepted(session().wantsKeys());
    requestFrame();
}

void ImGuiWidget::keyPressEvent(QKeyEvent* event) { key(event, true); }

void ImGuiWidget::keyReleaseEvent(QKeyEvent* event) { key(event, false); }

// Tab walks among the fields of Dear ImGui while it is in one of them (escape leaves them), and on to the next widget otherwise.
bool ImGuiWidget::focusNextPrevChild(bool next) {
    if (m_session && m_session->wantsText()) return false;
    return QWidget::focusNextPrevChild(next);
}

void ImGuiWidget::inputMethodEvent(QInputMethodEvent* event) {
    if (!event->commitString().isEmpty()) session().input().text(event->commitString());
    m_preedit = event->preeditString();
    event->accept();
    requestFrame();
    update();
}

QVariant ImGuiWidget::inputMethodQuery(Qt::InputMethodQuery query) const {
    const bool wantsText = m_session && m_session->wantsText();
    if (query == Qt::ImEnabled) return wantsText;
    if (query == Qt::ImCursorRectangle && wantsText) return QRectF(m_session->textCursor(), QSizeF(1, fontMetrics().height()));
    return QWidget::inputMethodQuery(query);
}

void ImGuiWidget::mousePressEvent(QMouseEvent* event) {
    session().input().mouseButton(*event, true);
    event->accept();
    requestFrame();
}

void ImGuiWidget::mouseReleaseEvent(QMouseEvent* event) {
    session().input().mouseButton(*event, false);
    event->accept();
    requestFrame();
}

// Dear ImGui counts clicks by itself.
void ImGuiWidget::mouseDoubleClickEvent(QMouseEvent* event) { ImGuiWidget::mousePressEvent(event); }

void ImGuiWidget::mouseMoveEvent(QMouseEvent* event) {
    session().input().mouseMove(event->position());
    event->accept();
    requestFrame();
}

void ImGuiWidget::wheelEvent(QWheelEvent* event) {
    session().input().wheel(*event);
    event->accept();
    requestFrame();
}

void ImGuiWidget::leaveEvent(QEvent* event) {
    session().input().mouseLeave();
    QWidget::leaveEvent(event);
    requestFrame();
}

void ImGuiWidget::focusInEvent(QFocusEvent* event) {
    session().input().focus(true);
    QWidget::focusInEvent(event);
    requestFrame();
}

void ImGuiWidget::focusOutEvent(QFocusEvent* event) {
    session().input().focus(false);
    QWidget::focusOutEvent(event);
    requestFrame();
}

// Dear ImGui's cursor is shown while it wants one; otherwise that of the derived class stays.
void ImGuiWidget::updateCursor() {
    const Qt::CursorShape wanted = session().cursor();
    if (wanted != Qt::ArrowCursor) setCursor(wanted);
    else if (m_ownCursor) unsetCursor();
    m_ownCursor = wanted != Qt::ArrowCursor;
}

} // namespace wb::ui
