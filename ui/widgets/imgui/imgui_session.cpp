// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/imgui_session.h"

#include "gpu/imview/texture.h"
#include "ui/widgets/imgui/imgui_font.h"
#include "ui/widgets/imgui/imgui_style.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace wb::ui {
namespace {

namespace compat = gpu::imview;

// Dear ImGui has no pointer to pass along before 1.91, but the text must outlive the call.
const char* clipboardText() {
    static QByteArray text;
    text = QGuiApplication::clipboard()->text().toUtf8();
    return text.constData();
}

void setClipboardText(const char* utf8) { QGuiApplication::clipboard()->setText(QString::fromUtf8(utf8)); }

Qt::CursorShape cursorFromCursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
    case ImGuiMouseCursor_TextInput: return Qt::IBeamCursor;
    case ImGuiMouseCursor_ResizeAll: return Qt::SizeAllCursor;
    case ImGuiMouseCursor_ResizeNS: return Qt::SizeVerCursor;
    case ImGuiMouseCursor_ResizeEW: return Qt::SizeHorCursor;
    case ImGuiMouseCursor_ResizeNESW: return Qt::SizeBDiagCursor;
    case ImGuiMouseCursor_ResizeNWSE: return Qt::SizeFDiagCursor;
    case ImGuiMouseCursor_Hand: return Qt::PointingHandCursor;
    case ImGuiMouseCursor_NotAllowed: return Qt::ForbiddenCursor;
    default: return Qt::ArrowCursor;
    }
}

constexpr ImGuiWindowFlags plainWindow = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                                         ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus;

} // namespace

class ImGuiSession::Current {
public:
    explicit Current(ImGuiContext* context) : m_before(ImGui::GetCurrentContext()) { ImGui::SetCurrentContext(context); }
    ~Current() { ImGui::SetCurrentContext(m_before); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    ImGuiContext* m_before;
};

ImGuiSession::ImGuiSession() : m_context(ImGui::CreateContext()) {
    const Current current(m_context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_HasMouseCursors;
    io.BackendPlatformName = "Qt";
    io.UserData = this;
    io.ConfigInputTextCursorBlink = false; // frames come on demand
    compat::prepareKeys(io);
    compat::setClipboard<&clipboardText, &setClipboardText>();
    compat::setInputMethod<&ImGuiSession::moveTextCursor>();
    m_clock.start();
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(m_context); }

void ImGuiSession::moveTextCursor(ImVec2 position) {
    auto* const session = static_cast<ImGuiSession*>(ImGui::GetIO().UserData);
    session->m_textCursor = {static_cast<double>(position.x), static_cast<double>(position.y)};
}

void ImGuiSession::setPalette(const QPalette& palette) {
    const Current current(m_context);
    applyPalette(ImGui::GetStyle(), palette);
}

bool ImGuiSession::setFont(const QFont& font, qreal scale) {
    if (font == m_font && scale == m_fontScale) return false;
    m_font = font;
    m_fontScale = scale;
    const Current current(m_context);
    ImGuiIO& io = ImGui::GetIO();
    buildFontAtlas(*io.Fonts, font, scale);
    compat::setFontTexture(*io.Fonts, compat::fontTexture);
    io.FontGlobalScale = static_cast<float>(1 / scale);
    return true;
}

ImGuiSession::Atlas ImGuiSession::atlas() {
    const Current current(m_context);
    unsigned char* texels = nullptr;
    Atlas atlas{};
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&texels, &atlas.width, &atlas.height);
    const auto count = static_cast<std::size_t>(atlas.width) * static_cast<std::size_t>(atlas.height);
    atlas.texels = {reinterpret_cast<const std::uint32_t*>(texels), count}; // allocated with malloc, so aligned
    return atlas;
}

void ImGuiSession::frame(const std::function<void(ImDrawList&)>& build) {
    ImGuiIO& io = ImGui::GetIO();
    m_input.apply(io);
    // Frames come on demand, so minutes may are between two; no animation should see that.
    io.DeltaTime = std::clamp(static_cast<float>(m_clock.nsecsElapsed()) * 1e-9f, 1e-4f, 0.1f);
    m_clock.start();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin("plot", nullptr, plainWindow);
    ImGui::PopStyleVar(3);
    build(*ImGui::GetWindowDrawList());
    ImGui::End();
    ImGui::Render();
}

const ImDrawData& ImGuiSession::run(QSizeF size, qreal scale, const std::function<void(ImDrawList&)>& build) {
    const Current current(m_context);
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(size.width()), static_cast<float>(size.height())};
    io.DisplayFramebufferScale = {static_cast<float>(scale), static_cast<float>(scale)};
    const bool stirred = !m_input.isEmpty();
    do frame(build);
    while (!m_input.isEmpty());
    m_wantsKeys = io.WantCaptureKeyboard || io.WantTextInput;
    m_wantsText = io.WantTextInput;
    m_settling = stirred && (ImGui::IsAnyItemActive() || ImGui::IsAnyItemHovered() || io.WantTextInput);
    m_cursor = cursorFromCursor(ImGui::GetMouseCursor());
    return *ImGui::GetDrawData();
}

} // namespace wb::ui
