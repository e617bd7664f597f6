// SPDX-License-Identifier: MIT
#include "tests/gpu/imview/draw_fixture.h"

#include "gpu/imview/imgui_compat.h"

#include <array>
#include <cstring>

namespace wb::test {

using namespace gpu::imview;

HandMadeFrame::HandMadeFrame(float width, float height, float scale, ImVec2 position)
    : m_clip(position.x, position.y, position.x + width, position.y + height) {
    m_data.Valid = true;
    m_data.DisplayPos = position;
    m_data.DisplaySize = {width, height};
    m_data.FramebufferScale = {scale, scale};
    newList();
}

void HandMadeFrame::newList() {
    m_storage.emplace_back(nullptr);
    m_lists.push_back(&m_storage.back());
}

ImDrawCmd& HandMadeFrame::command(std::uint32_t texture) {
    ImDrawCmd next;
    next.ClipRect = m_clip;
    setTexture(next, texture);
    next.IdxOffset = static_cast<unsigned>(list().IdxBuffer.Size);
    // A command reaches 65,536 vertices from its offset.
    const bool full =
        !list().CmdBuffer.empty() && list().VtxBuffer.Size - static_cast<int>(list().CmdBuffer.back().VtxOffset) > 65'532;
    next.VtxOffset =
        full || list().CmdBuffer.empty() ? static_cast<unsigned>(list().VtxBuffer.Size) : list().CmdBuffer.back().VtxOffset;
    if (!list().CmdBuffer.empty() && !full) {
        const ImDrawCmd& last = list().CmdBuffer.back();
        const bool same = std::memcmp(&last.ClipRect, &next.ClipRect, sizeof(ImVec4)) == 0 && textureNumber(last) == texture;
        if (same && !last.UserCallback) return list().CmdBuffer.back();
    }
    list().CmdBuffer.push_back(next);
    return list().CmdBuffer.back();
}

void HandMadeFrame::quad(ImVec2 from, ImVec2 to, ImU32 color, std::uint32_t texture, ImVec2 uvFrom, ImVec2 uvTo) {
    ImDrawCmd& into = command(texture);
    const auto first = static_cast<unsigned>(list().VtxBuffer.Size) - into.VtxOffset;
    for (const unsigned corner : {0u, 1u, 2u, 0u, 2u, 3u}) list().IdxBuffer.push_back(static_cast<ImDrawIdx>(first + corner));
    list().VtxBuffer.push_back({from, uvFrom, color});
    list().VtxBuffer.push_back({{to.x, from.y}, {uvTo.x, uvFrom.y}, color});
    list().VtxBuffer.push_back({to, uvTo, color});
    list().VtxBuffer.push_back({{from.x, to.y}, {uvFrom.x, uvTo.y}, color});
    into.ElemCount += 6;
}

void HandMadeFrame::callback(ImDrawCallback function) {
    ImDrawCmd call;
    call.ClipRect = m_clip;
    call.UserCallback = function;
    list().CmdBuffer.push_back(call);
}

const ImDrawData& HandMadeFrame::data() {
    m_data.CmdListsCount = static_cast<int>(m_lists.size());
#if IMGUI_VERSION_NUM >= 18980
    m_data.CmdLists.resize(0);
    for (ImDrawList* one : m_lists) m_data.CmdLists.push_back(one);
#else
    m_data.CmdLists = m_lists.data();
#endif
    return m_data;
}

TestCanvas::TestCanvas(std::shared_ptr<Renderer> renderer)
    : m_canvas(std::move(renderer), [this] {
          const std::scoped_lock lock(m_mutex);
          ++m_changes;
          m_wake.notify_all();
      }) {}

PicturePtr TestCanvas::draw(const ImDrawData& data) { return waitFor(m_canvas.draw(data)); }

PicturePtr TestCanvas::waitFor(std::uint64_t frame) {
    std::unique_lock lock(m_mutex);
    const auto over = [&] { return m_canvas.error() || m_canvas.state() == Canvas::State::Moved; };
    const auto done = [&] { return over() || (m_canvas.picture() && m_canvas.picture()->frame >= frame); };
    EXPECT_TRUE(m_wake.wait_for(lock, std::chrono::seconds(60), done)) << "no picture came";
    return over() ? nullptr : m_canvas.picture();
}

int TestCanvas::changes() {
    const std::scoped_lock lock(m_mutex);
    return m_changes;
}

std::uint32_t picturePixel(const Picture& picture, int x, int y) {
    std::uint32_t pixel = 0;
    const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x);
    std::memcpy(&pixel, picture.rgba.data() + at * sizeof pixel, sizeof pixel);
    return pixel;
}

void CanvasTest::SetUp() {
    GpuTest::SetUp();
    if (!device) return;
    renderer = std::make_shared<Renderer>([this]() -> Result<std::shared_ptr<gpu::Device>> { return device; });
    canvas = std::make_unique<TestCanvas>(renderer);
    (*canvas)->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
}

void CanvasTest::TearDown() {
    canvas.reset();
    renderer.reset();
    GpuTest::TearDown();
}

std::shared_ptr<Renderer> deviceless() {
    return std::make_shared<Renderer>([]() -> Result<std::shared_ptr<gpu::Device>> {
        return fail(ErrorCode::NotFound, Reason("test.failure"), "There is no device.");
    });
}

void DrawingTest::SetUp() {
    if (!isByProcessor()) return CanvasTest::SetUp();
    renderer = deviceless();
    canvas = std::make_unique<TestCanvas>(renderer);
    (*canvas)->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
}

void DrawingTest::TearDown() {
    if (!isByProcessor()) return CanvasTest::TearDown();
    canvas.reset();
    renderer.reset();
}

std::string infoName(const testing::TestParamInfo<Drawn>& info) {
    return info.param == Drawn::ByDevice ? "OnTheDevice" : "OnTheProcessor";
}

} // namespace wb::test
