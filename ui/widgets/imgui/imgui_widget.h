// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/canvas.h"
#include "ui/widgets/imgui/plot_words.h"

#include <imgui.h>

#include <QImage>
#include <QWidget>

#include <deque>
#include <memory>
#include <span>

namespace wb::ui {

class ImGuiSession;

// A plot drawn by Dear ImGui on the GPU, or by the CPU if none exists that draws, and shown as a picture in
// an ordinary widget: it is under other widgets, is grabbed, scaled and printed like any other, and works without a display.
//
// Frames are made on demand only: after input, after requestFrame() and after a change of a texture, size, scale or palette.
// drawPlot() fills a frame on the GUI thread; the device draws it on another, and the picture with its words is painted when it is
// there.
//
// Nothing of Vulkan is touched before the first frame of a shown widget, and then not on the GUI thread. A device that is lost is
// opened again once, then the CPU draws; another one that is chosen (Renderer::useDevice) draws from the next frame on. Where
// not even the CPU can draw, for want of memory, drawPlot() is called no more and a sentence is in its place; the owner
// shows the same numbers by other means.
//
// Coordinates are logical pixels of the widget. A screen reader sees the accessible description, one sentence of the derived class.
class ImGuiWidget : public QWidget {
    Q_OBJECT

public:
    using TextureId = gpu::imview::TextureId;
    using TextureRect = gpu::imview::TextureRect;
    using Filter = gpu::imview::Filter;
    using ColorScale = gpu::imview::ColorScale;

    explicit ImGuiWidget(QWidget* parent = nullptr);
    ImGuiWidget(std::shared_ptr<gpu::imview::Renderer> renderer, QWidget* parent); // null: the renderer of the process
    ~ImGuiWidget() override;

    bool isAvailable() const { return m_reason.isEmpty(); } // true as long as no device was asked for
    QString unavailableReason() const { return m_reason; }  // one sentence; empty while available

    // Asks for one frame at the next turn of the event loop, however often it is called. A hidden widget waits until it is shown.
    void requestFrame();

    // Makes the newest state of things a frame and blocks until its picture is here: for tests and exports; shown or not. False
    // if none exists: unavailable, no pixels, or later than that.
    bool waitForFrame(int milliseconds = 5000);

    // The newest picture with its words on the palette's base color, in device pixels: what is painted, but for the mark of the
    // focus.
    QImage picture() const;

    // Textures of this widget; see gpu/imview/canvas.h. They can be made at any time. Each call requests a frame, unless
    // drawPlot() makes it: then it belongs to the frame being made.
    TextureId createTexture(int width, int height, Filter filter = Filter::Nearest);
    TextureId createValueTexture(int width, int height);
    void updateTexture(TextureId texture, const TextureRect& rect, std::span<const std::uint32_t> texels);
    void updateValues(TextureId texture, const TextureRect& rect, std::span<const float> values);
    void setColorScale(TextureId texture, const ColorScale& scale);
    void destroyTexture(TextureId texture);

signals:
    void availabilityChanged();
    void frameShown(); // a new picture is here

protected:
    // Called once before the first frame, and again on another device, or after a lost one took all textures along: makes and fills
    // them.
    virtual void createTextures() {}

    // Fills one frame. `list` is that of a window of Dear ImGui which fills the widget, so its items work as well.
    virtual void drawPlot(ImDrawList& list, PlotWords& words) = 0;

    // As long as this is on, the next frame follows when a picture is here.
    void setAnimating(bool animating);

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    // A key is left to the parent where no item of Dear ImGui has the keyboard.
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Words { // of one frame
        std::uint64_t frame = 0;
        qreal scale = 1;
        PlotWords words;
    };
    ImGuiSession& session();
    gpu::imview::Canvas& canvas();
    qreal renderScale() const;
    void key(QKeyEvent* event, bool down);
    bool noteTextures();
    void makeFrame();
    void makeRequestedFrame();
    void updatePicture();
    void startAnew();
    void setUnavailable(const QString& reason);
    void updateCursor();
    void paintContents(QPainter& painter) const;

    std::shared_ptr<gpu::imview::Renderer> m_renderer;
    std::unique_ptr<ImGuiSession> m_session;       // null before the first frame or event
    std::unique_ptr<gpu::imview::Canvas> m_canvas; // null before the first frame or texture
    gpu::imview::PicturePtr m_picture;
    Words m_words;             // of the picture
    std::deque<Words> m_drawn; // of frames whose pictures are on their way
    std::uint64_t m_frame = 0; // the newest that was drawn
    QString m_reason;
    QString m_preedit; // what an input method composes
    bool m_texturesMade = false, m_requested = false, m_queued = false, m_making = false, m_animating = false, m_ownCursor = false;
};

} // namespace wb::ui
