// SPDX-License-Identifier: MIT
#include "gpu/device/open.h"
#include "gpu/imview/canvas.h"
#include "gpu/imview/imgui_compat.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <vector>

// One frame of a plot as the tensor view makes it: 1280 × 800 pixels, a heat map of f32 values over the whole of it, two ridges of
// lines and a grid. Measured from the draw lists to the picture in the CPU's memory. Limits (issue 4, section 3): 60 frames a
// second on a GPU, 30 on software Vulkan with two cores, p95.
using namespace wb;
using namespace wb::gpu::imview;

namespace {

constexpr int width = 1280, height = 800, mapEdge = 2048;

class Plot {
public:
    Plot() : m_context(ImGui::CreateContext()), m_canvas(Renderer::shared(), [this] { wake(); }) {
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {width, height};
        io.DeltaTime = 0.01f;
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        sendAtlas(io);
        sendMap();
    }
    ~Plot() { ImGui::DestroyContext(m_context); }
    Plot(const Plot&) = delete;
    Plot& operator=(const Plot&) = delete;

    // A frame that is panned by `step` texels; false where there is no device.
    bool frame(int step) {
        ImGui::NewFrame();
        build(*ImGui::GetBackgroundDrawList(), static_cast<float>(step % 512));
        ImGui::Render();
        const std::uint64_t number = m_canvas.draw(*ImGui::GetDrawData());
        std::unique_lock lock(m_mutex);
        m_wake.wait(lock, [&] { return m_canvas.error() || (m_canvas.picture() && m_canvas.picture()->frame >= number); });
        return !m_canvas.error();
    }

    // The same, with a part of the map sent anew, as when a nearer look arrives.
    bool frameWithNewTile(int step) {
        m_canvas.updateValues(m_map, {step % 7 * 256, step % 5 * 256, 256, 256}, m_tile);
        return frame(step);
    }

private:
    void wake() {
        const std::scoped_lock lock(m_mutex);
        m_wake.notify_all();
    }

    void sendAtlas(ImGuiIO& io) {
        unsigned char* texels = nullptr;
        int atlasWidth = 0, atlasHeight = 0;
        io.Fonts->GetTexDataAsRGBA32(&texels, &atlasWidth, &atlasHeight);
        setFontTexture(*io.Fonts, fontTexture);
        m_canvas.resizeTexture(fontTexture, atlasWidth, atlasHeight, Filter::Linear);
        const auto count = static_cast<std::size_t>(atlasWidth) * static_cast<std::size_t>(atlasHeight);
        m_canvas.updateTexture(fontTexture, {0, 0, atlasWidth, atlasHeight},
                               {reinterpret_cast<const std::uint32_t*>(texels), count});
    }

    void sendMap() {
        std::vector<float> values(std::size_t{mapEdge} * mapEdge);
        for (std::size_t at = 0; at < values.size(); ++at) values[at] = std::sin(static_cast<float>(at) * 0.37f);
        m_tile.assign(values.begin(), values.begin() + 256 * 256);
        ColorScale scale;
        for (std::uint32_t place = 0; place < 256; ++place) scale.colors[place] = 0xff404000 | place;
        m_map = m_canvas.createValueTexture(mapEdge, mapEdge);
        m_canvas.updateValues(m_map, {0, 0, mapEdge, mapEdge}, values);
        m_canvas.setColorScale(m_map, scale);
    }

    void build(ImDrawList& list, float moved) const {
        const float texel = 1.0f / mapEdge;
        list.AddImage(imguiTexture(m_map), {0, 0}, {width, height}, {moved * texel, moved * texel},
                      {(moved + width) * texel, (moved + height) * texel});
        std::vector<ImVec2> ridge;
        for (int x = 0; x < width; ++x)
            ridge.push_back({static_cast<float>(x), 60 + 40 * std::sin(static_cast<float>(x) * 0.3f + moved)});
        list.AddPolyline(ridge.data(), width, 0xff30c0ff, 0, 1);
        for (ImVec2& point : ridge) point.y += 600;
        list.AddPolyline(ridge.data(), width, 0xffc0ff30, 0, 1);
        for (int line = 0; line < 40; ++line) {
            const float x = static_cast<float>(line) * 32;
            list.AddRectFilled({x, 0}, {x + 1, height}, 0x40ffffff);
            list.AddText({x, 780}, 0xffffffff, "128");
        }
    }

    ImGuiContext* m_context;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    TextureId m_map = 0;
    std::vector<float> m_tile;
    Canvas m_canvas; // last: what it calls must be there
};

using Step = bool (Plot::*)(int);

void drawFrames(benchmark::State& state, Step step) {
    Plot plot;
    if (!plot.frame(0)) return state.SkipWithError("no device");
    std::vector<double> milliseconds;
    int number = 0;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        (plot.*step)(++number);
        milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(milliseconds);
    const auto part = [&](double share) {
        return milliseconds[static_cast<std::size_t>(share * static_cast<double>(milliseconds.size() - 1))];
    };
    state.counters["p50_ms"] = part(0.5);
    state.counters["p95_ms"] = part(0.95);
    state.counters["p99_ms"] = part(0.99);
    if (const auto device = gpu::openBest(gpu::DeviceFilter::All)) state.SetLabel((*device)->info().name);
}

} // namespace

BENCHMARK_CAPTURE(drawFrames, panning, &Plot::frame)->Iterations(600)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drawFrames, tiles_arriving, &Plot::frameWithNewTile)
    ->Iterations(600)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
