// SPDX-License-Identifier: MIT
#include "ui/widgets/imgui/imgui_widget.h"

#include "ui/widgets/imgui/imgui_session.h"
#include "ui/widgets/translated.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QThread>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>

namespace wb::ui {
namespace {

using gpu::imview::Canvas;

// One frame may be drawn while the next is being made; a third would only add delay.
constexpr std::uint64_t framesUnderWay = 2;

} // namespace

ImGuiWidget::ImGuiWidget(QWidget* parent) : ImGuiWidget(nullptr, parent) {}

ImGuiWidget::ImGuiWidget(std::shared_ptr<gpu::imview::Renderer> renderer, QWidget* parent)
    : QWidget(parent), m_renderer(std::move(renderer)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_InputMethodEnabled);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

ImGuiWidget::~ImGuiWidget() = default;

ImGuiSession& ImGuiWidget::session() {
    if (!m_session) {
        m_session = std::make_unique<ImGuiSession>();
        m_session->setPalette(palette());
    }
    return *m_session;
}

Canvas& ImGuiWidget::canvas() {
    if (!m_renderer) m_renderer = gpu::imview::Renderer::shared();
    if (!m_canvas)
        m_canvas = std::make_unique<Canvas>(
            m_renderer, [this] { QMetaObject::invokeMethod(this, &ImGuiWidget::updatePicture, Qt::QueuedConnection); });
    return *m_canvas;
}

// Beyond the largest image that every device has, pictures are drawn coarser.
qreal ImGuiWidget::renderScale() const {
    return std::min(devicePixelRatioF(), gpu::imview::maxTextureEdge / static_cast<qreal>(std::max({width(), height(), 1})));
}

// ---- frames

void ImGuiWidget::requestFrame() {
    m_requested = true;
    if (m_queued || !isVisible()) return;
    m_queued = true;
    QMetaObject::invokeMethod(this, &ImGuiWidget::makeRequestedFrame, Qt::QueuedConnection);
}

void ImGuiWidget::makeRequestedFrame() {
    m_queued = false;
    const std::uint64_t shown = m_picture ? m_picture->frame : 0;
    if (!m_requested || !isVisible() || m_frame - shown >= framesUnderWay) return; // showEvent or updatePicture asks again
    makeFrame();
}

void ImGuiWidget::makeFrame() {
    m_requested = false;
    if (!isAvailable() || size().isEmpty()) return;
    m_making = true;
    const bool fresh = !m_texturesMade;
    if (fresh) createTextures();
    m_texturesMade = true;
    const qreal scale = renderScale();
    if (session().setFont(font(), scale) || fresh) {
        const ImGuiSession::Atlas atlas = session().atlas();
        canvas().resizeTexture(gpu::imview::fontTexture, atlas.width, atlas.height, Filter::Linear);
        canvas().updateTexture(gpu::imview::fontTexture, {0, 0, atlas.width, atlas.height}, atlas.texels);
    }
    Words words{0, scale, PlotWords()};
    const ImDrawData& drawn = session().run(size(), scale, [&](ImDrawList& list) {
        words.words = PlotWords(font()); // only those of the last of several frames count
        drawPlot(list, words.words);
    });
    m_making = false;
    m_frame = words.frame = canvas().draw(drawn);
    m_drawn.push_back(std::move(words));
    updateCursor();
    if (session().isSettling()) requestFrame();
}

void ImGuiWidget::updatePicture() {
    if (!m_canvas) return;
    if (m_canvas->state() == Canvas::State::Lost || m_canvas->state() == Canvas::State::Moved) return startAnew();
    if (m_canvas->state() == Canvas::State::Failed) return setUnavailable(translated(*m_canvas->error()));
    const gpu::imview::PicturePtr newest = m_canvas->picture();
    if (!newest || newest == m_picture) return;
    m_picture = newest;
    while (!m_drawn.empty() && m_drawn.front().frame <= newest->frame) {
        m_words = std::move(m_drawn.front());
        m_drawn.pop_front();
    }
    update();
    emit frameShown();
    if (m_requested || m_animating) requestFrame();
}

// The textures were on a device that is no longer drawn on.
void ImGuiWidget::startAnew() {
    m_canvas.reset();
    m_drawn.clear();
    m_frame = 0;
    m_picture.reset();
    m_texturesMade = false;
    requestFrame();
}

void ImGuiWidget::setUnavailable(const QString& reason) {
    if (!isAvailable()) return;
    m_reason = reason;
    m_canvas.reset();
    m_picture.reset();
    m_drawn.clear();
    update();
    emit availabilityChanged();
}

bool ImGuiWidget::waitForFrame(int milliseconds) {
    ensurePolished();
    QElapsedTimer clock;
    clock.start();
    makeFrame();
    // A few rounds let hovered items settle; a plot that asks for frames endlessly does not hold this up.
    for (int rounds = 3; isAvailable() && !size().isEmpty() && clock.elapsed() < milliseconds; QThread::usleep(200)) {
        updatePicture();
        const bool arrived = m_picture && m_picture->frame >= m_frame;
        if (arrived && (!m_requested || rounds-- == 0)) return true;
        const bool lost = !m_canvas; // and to be opened again
        if (arrived || lost) makeFrame();
    }
    return false;
}

void ImGuiWidget::setAnimating(bool animating) {
    m_animating = animating;
    if (animating) requestFrame();
}

// ---- textures

// What changes while a frame is being made is part of that frame. False: it would never be drawn.
bool ImGuiWidget::noteTextures() {
    if (!m_making) requestFrame();
    return isAvailable();
}

ImGuiWidget::TextureId ImGuiWidget::createTexture(int width, int height, Filter filter) {
    if (!noteTextures()) return gpu::imview::fontTexture;
    return canvas().createTexture(width, height, filter);
}

ImGuiWidget::TextureId ImGuiWidget::createValueTexture(int width, int height) {
    if (!noteTextures()) return gpu::imview::fontTexture;
    return canvas().createValueTexture(width, height);
}

void ImGuiWidget::updateTexture(TextureId texture, const TextureRect& rect, std::span<const std::uint32_t> texels) {
    if (noteTextures()) canvas().updateTexture(texture, rect, texels);
}

void ImGuiWidget::updateValues(TextureId texture, const TextureRect& rect, std::span<const float> values) {
    if (noteTextures()) canvas().updateValues(texture, rect, values);
}

void ImGuiWidget::setColorScale(TextureId texture, const ColorScale& scale) {
    if (noteTextures()) canvas().setColorScale(texture, scale);
}

void ImGuiWidget::destroyTexture(TextureId texture) {
    if (noteTextures()) canvas().destroyTexture(texture);
}

// ---- painting

void ImGuiWidget::paintContents(QPainter& painter) const {
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!isAvailable()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, m_reason);
        return;
    }
    if (!m_picture) return;
    const QImage image(reinterpret_cast<const uchar*>(m_picture->rgba.data()), m_picture->width, m_picture->height,
                       4 * m_picture->width, QImage::Format_RGBA8888_Premultiplied);
    painter.drawImage(QRectF(QPointF(0, 0), QSizeF(image.size()) / m_words.scale), image, QRectF(image.rect()));
    m_words.words.paint(painter, palette());
    if (!m_preedit.isEmpty()) {
        const QRectF box(m_session->textCursor(), painter.fontMetrics().size(0, m_preedit) + QSize(4, 2));
        painter.fillRect(box, palette().color(QPalette::AlternateBase));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(box, Qt::AlignCenter, m_preedit);
    }
}

void ImGuiWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintContents(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
    if (m_picture && m_words.scale != renderScale()) requestFrame(); // the window came to another screen
}

QImage ImGuiWidget::picture() const {
    QImage image((QSizeF(size()) * devicePixelRatioF()).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&image);
    painter.setFont(font());
    paintContents(painter);
    return image;
}

void ImGuiWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    requestFrame();
}

void ImGuiWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    requestFrame();
}

void ImGuiWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    const bool palettes = event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange;
    if (palettes && m_session) m_session->setPalette(palette());
    if (palettes || event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) requestFrame();
}

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
