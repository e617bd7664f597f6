// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "gpu/imview/texture.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct ImDrawData;

// Draw lists of Dear ImGui in, pictures out, drawn without a window: on a Vulkan device, or by the CPU if none exists
// that draws, which gives the same pixels. The header names no Vulkan type, so that the window's code can use it.
namespace wb::gpu {
class Device;
}
namespace wb::gpu::imview {

// One drawn frame. Pixels are RGBA8 with premultiplied alpha on a transparent ground; rows of 4 · width bytes, top row first.
struct Picture {
    int width = 0, height = 0;
    std::uint64_t frame = 0; // what Canvas::draw returned
    std::span<const std::byte> rgba;
    std::shared_ptr<const void> memory; // keeps the pixels, which may are in the driver's memory
};
using PicturePtr = std::shared_ptr<const Picture>;

using OpenDevice = std::function<Result<std::shared_ptr<Device>>()>;

struct TextureChange;

// What canvases share: one thread that opens the device, draws and waits for it, and the device itself with the pipeline. Nothing
// of Vulkan is touched before the first frame of a canvas. Thread-safe.
class Renderer {
public:
    // `open` is called on the renderer's thread, again after a device was lost; the default opens the best device that can draw.
    // Where it gives none, where a device fails, and after the second loss, the CPU draws until reopen().
    explicit Renderer(OpenDevice open = {});
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // Calls `open` again before the next frame. Where that gives another device, canvases are Moved.
    void reopen();

    // The renderer of the process, alive as long as someone contains it.
    static std::shared_ptr<Renderer> shared();

    // Where that one draws from its next frame on: the device with this id (DeviceInfo::id). Empty, or one that is not here or
    // cannot draw: the best that can.
    static void useDevice(const std::string& id);

private:
    friend class Canvas;
    struct Worker;
    std::unique_ptr<Worker> m_worker;
};

// One view: a table of textures and its latest picture. All functions return at once; the work is done on the renderer's thread,
// with the next frame. Changes of textures belong to the frame that is drawn after them: none is lost, all are in order, and a
// frame that was asked for before does not see them. Of frames only the newest is drawn. Not thread-safe: one thread, the GUI's,
// calls them.
class Canvas {
public:
    // Waiting: no frame was finished yet. Lost: the device went away and took the textures along; make a new canvas. Moved: another
    // device, or the CPU, draws now, which does not have them; make a new canvas as well. Failed: not even the CPU
    // could draw.
    enum class State { Waiting, Ready, Lost, Moved, Failed };

    // `changed` is called on the renderer's thread after each new picture or state; it may be called again while the destructor
    // runs.
    Canvas(std::shared_ptr<Renderer> renderer, std::function<void()> changed);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    State state() const;
    std::optional<Error> error() const; // of Lost and Failed

    // Edges are 1 … maxTextureEdge, asserted. New textures are transparent, or NaN. Value textures are drawn through their color
    // scale, texel by texel: colors between two values would be the colors of values that do not exist.
    TextureId createTexture(int width, int height, Filter filter);
    TextureId createValueTexture(int width, int height);
    void destroyTexture(TextureId texture); // after the frames that are on their way

    // Replaces the texture, whose number stays: the font atlas starts with 1 × 1.
    void resizeTexture(TextureId texture, int width, int height, Filter filter);

    // `rect` is inside the texture and `texels` holds width · height of it, row by row, 0xAABBGGRR; asserted. Copies.
    void updateTexture(TextureId texture, const TextureRect& rect, std::span<const std::uint32_t> texels);
    void updateValues(TextureId texture, const TextureRect& rect, std::span<const float> values);
    void setColorScale(TextureId texture, const ColorScale& scale);

    // Copies the draw lists and draws them; returns the frame's number, which counts up from 1. A frame that waits is replaced. A
    // frame of no pixels, or of more than maxTextureEdge in a direction, gives no picture.
    std::uint64_t draw(const ImDrawData& data);

    // The newest picture; null before the first.
    PicturePtr picture() const;

private:
    struct Shared;
    struct Size {
        int width, height;
        bool values;
    };
    void create(TextureId texture, const Size& size, Filter filter);
    void change(TextureChange change);
    bool isInside(TextureId texture, const TextureRect& rect, bool values, std::size_t texels) const;

    std::shared_ptr<Renderer> m_renderer;
    std::shared_ptr<Shared> m_shared;
    std::map<TextureId, Size> m_sizes;    // to check what is requested where it is asked
    std::vector<TextureChange> m_changes; // for the next frame
    TextureId m_next = fontTexture + 1;
};

} // namespace wb::gpu::imview
