// SPDX-License-Identifier: MIT
#pragma once

#include "gpu/imview/canvas.h"
#include "tests/gpu/support/gpu.h"

#include <imgui.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

namespace wb::test {

// Draw lists made by hand, as Dear ImGui would lay them out.
class HandMadeFrame {
public:
    HandMadeFrame(float width, float height, float scale = 1, ImVec2 position = {0, 0});

    // Two triangles of one colour; `uv` runs from the corner `from` to `to`.
    void quad(ImVec2 from, ImVec2 to, ImU32 color, std::uint32_t texture = 0, ImVec2 uvFrom = {0, 0}, ImVec2 uvTo = {0, 0});
    void setClip(ImVec4 clip) { m_clip = clip; } // of quads to come
    void newList();
    void callback(ImDrawCallback function);

    const ImDrawData& data();

private:
    ImDrawList& list() { return *m_lists.back(); }
    ImDrawCmd& command(std::uint32_t texture);

    ImDrawData m_data;
    ImVec4 m_clip;
    std::deque<ImDrawList> m_storage;
    std::vector<ImDrawList*> m_lists;
};

// A canvas whose pictures can be waited for.
class TestCanvas {
public:
    explicit TestCanvas(std::shared_ptr<gpu::imview::Renderer> renderer);

    gpu::imview::Canvas& operator*() { return m_canvas; }
    gpu::imview::Canvas* operator->() { return &m_canvas; }

    // Draws and waits for that frame; null where it failed.
    gpu::imview::PicturePtr draw(const ImDrawData& data);
    gpu::imview::PicturePtr waitFor(std::uint64_t frame);
    gpu::imview::PicturePtr draw(HandMadeFrame& frame) { return draw(frame.data()); }
    int changes();

private:
    std::mutex m_mutex;
    std::condition_variable m_wake;
    int m_changes = 0;
    gpu::imview::Canvas m_canvas; // last: what it calls must be there
};

std::uint32_t picturePixel(const gpu::imview::Picture& picture, int x, int y);

// On the device of the other GPU tests, with a white texel as the font atlas.
class CanvasTest : public GpuTest {
protected:
    void SetUp() override;
    void TearDown() override;

    std::shared_ptr<gpu::imview::Renderer> renderer;
    std::unique_ptr<TestCanvas> canvas;
};

// A renderer that finds no device, so that the processor draws.
std::shared_ptr<gpu::imview::Renderer> deviceless();

// The same on the device, and where the processor draws.
enum class Drawn { ByDevice, ByProcessor };
class DrawingTest : public CanvasTest, public testing::WithParamInterface<Drawn> {
protected:
    void SetUp() override;
    void TearDown() override;

    bool isByProcessor() const { return GetParam() == Drawn::ByProcessor; }
};
std::string infoName(const testing::TestParamInfo<Drawn>& info);

inline constexpr std::uint32_t white = 0xffffffff;

} // namespace wb::test
