// SPDX-License-Identifier: MIT
#include "tests/gpu/imview/draw_fixture.h"
#include "tests/gpu/imview/reference.h"

#include "gpu/imview/imgui_compat.h"
#include "gpu/imview/rasterizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace wb::test {
namespace {

using namespace gpu::imview;

constexpr std::uint32_t drawnRed = 0xff0000ff, drawnGreen = 0xff00ff00, blue = 0xffff0000;

// How many pixels differ by more than `tolerance` of 255 in a channel.
int differences(const Picture& picture, const std::vector<std::uint32_t>& expected, int tolerance) {
    int count = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const std::uint32_t a = picturePixel(picture, x, y), b = expected[static_cast<std::size_t>(y * picture.width + x)];
            int largest = 0;
            for (int shift = 0; shift < 32; shift += 8)
                largest = std::max(largest, std::abs(static_cast<int>(a >> shift & 0xff) - static_cast<int>(b >> shift & 0xff)));
            count += largest > tolerance;
        }
    return count;
}

void expectReference(TestCanvas& canvas, const ImDrawData& data, const ReferenceTextures& textures, int tolerance = 0) {
    const PicturePtr picture = canvas.draw(data);
    ASSERT_TRUE(picture);
    DrawLists lists;
    copyDrawLists(data, lists);
    ASSERT_EQ(picture->width, lists.width);
    ASSERT_EQ(picture->height, lists.height);
    EXPECT_EQ(differences(*picture, drawReference(lists, textures), tolerance), 0);
}

TEST_P(DrawingTest, RectanglesAreExactAtEveryScale) {
    for (const float scale : {1.0f, 1.5f, 2.0f}) {
        HandMadeFrame frame(64, 48, scale, {10, 20});
        frame.quad({12, 22}, {40, 40}, drawnRed);
        frame.quad({30.5f, 30.25f}, {73, 67}, drawnGreen);
        frame.quad({0, 0}, {13, 23}, blue);
        expectReference(*canvas, frame.data(), {{0, {}}});
    }
}

TEST_P(DrawingTest, ClipRectanglesAreExact) {
    HandMadeFrame frame(50, 40, 1.5f);
    frame.setClip({10, 8, 30.5f, 20});
    frame.quad({0, 0}, {50, 40}, drawnRed);
    frame.setClip({-100, -100, 12, 900});
    frame.quad({0, 0}, {50, 40}, drawnGreen);
    frame.setClip({40, 30, 40, 35}); // nothing is left
    frame.quad({0, 0}, {50, 40}, blue);
    expectReference(*canvas, frame.data(), {{0, {}}});
}

TEST_P(DrawingTest, TexturesAreExactAndChangeInParts) {
    ReferenceTextures textures = {{0, {}}};
    std::vector<std::uint32_t> noise(20 * 12);
    std::mt19937 random(7);
    for (std::uint32_t& texel : noise) texel = static_cast<std::uint32_t>(random()) | 0xff000000;
    const TextureId first = (*canvas)->createTexture(20, 12, Filter::Nearest);
    const TextureId second = (*canvas)->createTexture(3, 2, Filter::Nearest);
    (*canvas)->updateTexture(first, {0, 0, 20, 12}, noise);
    const std::array<std::uint32_t, 2> part = {drawnRed, blue};
    (*canvas)->updateTexture(second, {1, 0, 1, 2}, part);
    textures[first] = {20, 12, noise, Filter::Nearest};
    textures[second] = {3, 2, {0, drawnRed, 0, 0, blue, 0}, Filter::Nearest};

    HandMadeFrame frame(80, 60);
    frame.quad({0, 0}, {80, 48}, white, first, {0, 0}, {1, 1});
    frame.quad({4, 40}, {64, 60}, white, second, {0, 0}, {1, 1});
    frame.quad({70, 50}, {80, 60}, drawnGreen);
    expectReference(*canvas, frame.data(), textures);

    // The next frame sees the change, and only where it was made.
    const std::array<std::uint32_t, 4> change = {drawnGreen, drawnGreen, drawnRed, drawnRed};
    (*canvas)->updateTexture(first, {7, 3, 2, 2}, change);
    for (std::size_t texel = 0; texel < 4; ++texel) textures[first].texels[(3 + texel / 2) * 20 + 7 + texel % 2] = change[texel];
    expectReference(*canvas, frame.data(), textures);
}

// The processor steps from pixel to pixel; where two texels meet at the middle of a pixel, and everywhere else, it takes the texel
// that the weights of the corners say.
TEST_F(CanvasTest, TexelsAtEveryScaleAreThoseOfTheReference) {
    TestCanvas processor(deviceless());
    std::vector<std::uint32_t> noise(64 * 48);
    std::mt19937 random(11);
    for (std::uint32_t& texel : noise) texel = static_cast<std::uint32_t>(random()) | (random() % 4 == 0 ? 0 : 0xff000000);
    const TextureId map = processor->createTexture(64, 48, Filter::Nearest);
    processor->updateTexture(map, {0, 0, 64, 48}, noise);
    for (const float scale : {0.31f, 0.5f, 1.0f, 1.7f, 3.0f, 4.5f})
        for (const std::uint32_t color : {white, 0x80c0ffffu}) {
            HandMadeFrame frame(300, 220);
            frame.quad({0, 0}, {64 * scale, 48 * scale}, color, map, {0, 0}, {1, 1});
            frame.quad({3.25f, 2.5f}, {3.25f + 50 * scale, 2.5f + 40 * scale}, color, map, {0.123f, 0.9f}, {1.25f, -0.071f});
            expectReference(processor, frame.data(), {{0, {}}, {map, {64, 48, noise, Filter::Nearest}}});
        }
}

TEST_P(DrawingTest, SeventyThousandVerticesAndASecondList) {
    HandMadeFrame frame(300, 240);
    std::mt19937 random(3);
    for (int quad = 0; quad < 17'500; ++quad) {
        const auto x = static_cast<float>(quad % 300), y = static_cast<float>(quad / 300 * 4);
        frame.quad({x, y}, {x + 1, y + 3}, static_cast<std::uint32_t>(random()) | 0xff000000);
    }
    frame.newList();
    frame.quad({100, 100}, {120, 110}, drawnRed);
    DrawLists lists;
    copyDrawLists(frame.data(), lists);
    EXPECT_EQ(lists.vertices.size(), 70'004u);
    ASSERT_EQ(lists.commands.size(), 3u);
    EXPECT_GT(lists.commands[1].vertexOffset, 65'000);
    EXPECT_EQ(lists.commands[2].vertexOffset, 70'000);
    expectReference(*canvas, frame.data(), {{0, {}}});
}

TEST_P(DrawingTest, AlphaIsPremultiplied) {
    HandMadeFrame frame(4, 4);
    frame.quad({0, 0}, {4, 4}, 0x800000ff);
    const PicturePtr picture = canvas->draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picturePixel(*picture, 1, 1), 0x80000080u);
    frame.quad({0, 0}, {2, 4}, 0x4000ff00);
    expectReference(*canvas, frame.data(), {{0, {}}}, 2);
}

int calls = 0;
void count(const ImDrawList* list, const ImDrawCmd* command) { calls += list != nullptr && command->UserCallback == &count; }

TEST_P(DrawingTest, CallbacksAreCalledAndLeaveTheRestAlone) {
    HandMadeFrame frame(16, 16);
    frame.quad({0, 0}, {8, 8}, drawnRed);
    frame.callback(&count);
    frame.callback(ImDrawCallback_ResetRenderState);
    frame.quad({8, 8}, {16, 16}, drawnGreen);
    calls = 0;
    const PicturePtr picture = canvas->draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(picturePixel(*picture, 3, 3), drawnRed);
    EXPECT_EQ(picturePixel(*picture, 12, 12), drawnGreen);
}

// Lines, curves and text as Dear ImGui makes them: smoothed by translucent fringes, with its own font.
class ImGuiFrame {
public:
    ImGuiFrame() : m_context(ImGui::CreateContext()) {
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {160, 120};
        io.DisplayFramebufferScale = {1.5f, 1.5f};
        io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
        setFontTexture(*io.Fonts, fontTexture);
    }
    ~ImGuiFrame() { ImGui::DestroyContext(m_context); }

    const ImDrawData& draw() {
        ImGui::NewFrame();
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        list.AddLine({10, 10}, {150, 90}, 0xff40c0f0, 2.5f);
        list.AddCircleFilled({60, 70}, 25, 0xa0f08040);
        list.AddBezierCubic({5, 100}, {60, 20}, {100, 130}, {155, 20}, 0xff80ff80, 1.0f);
        list.AddText({20, 30}, 0xffffffff, "-12.5e3 0123");
        list.AddRect({100.5f, 50.5f}, {150.5f, 110.5f}, 0xffffff00, 8);
        list.PushClipRect({90, 0}, {120, 60}, true);
        list.AddRectFilled({0, 0}, {160, 120}, 0x600000ff);
        list.PopClipRect();
        ImGui::Render();
        return *ImGui::GetDrawData();
    }

    unsigned char* pixels = nullptr;
    int width = 0, height = 0;

private:
    ImGuiContext* m_context;
};

TEST_P(DrawingTest, LinesAndTextEqualTheReference) {
    ImGuiFrame frame;
    std::vector<std::uint32_t> atlas(static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height));
    std::memcpy(atlas.data(), frame.pixels, atlas.size() * 4);
    (*canvas)->resizeTexture(fontTexture, frame.width, frame.height, Filter::Linear);
    (*canvas)->updateTexture(fontTexture, {0, 0, frame.width, frame.height}, atlas);
    const ImDrawData& data = frame.draw();
    const PicturePtr picture = canvas->draw(data);
    ASSERT_TRUE(picture);
    DrawLists lists;
    copyDrawLists(data, lists);
    const auto expected = drawReference(lists, {{0, {frame.width, frame.height, atlas, Filter::Linear}}});
    // A pixel centre that lies on an edge may fall to either side where a device rounds vertices to a coarser grid.
    if (isByProcessor()) EXPECT_EQ(differences(*picture, expected, 0), 0);
    else EXPECT_LE(differences(*picture, expected, 2), picture->width * picture->height / 1000);
}

INSTANTIATE_TEST_SUITE_P(All, DrawingTest, testing::Values(Drawn::ByDevice, Drawn::ByProcessor), infoName);

// Triangles of any kind: slivers and large ones, far outside, of colours that change, opaque or not, textured or not.
class RandomTriangles {
public:
    explicit RandomTriangles(unsigned seed) : m_random(seed) {
        lists.width = 40 + static_cast<int>(seed % 37);
        lists.height = 30 + static_cast<int>(seed % 23);
        lists.scaleX = 2 / static_cast<float>(lists.width);
        lists.scaleY = 2 / static_cast<float>(lists.height);
        lists.moveX = lists.moveY = -1;
        for (int i = 0; i < 60; ++i) add();
    }

    DrawLists lists;

private:
    float between(float low, float high) { return std::uniform_real_distribution(low, high)(m_random); }
    std::uint32_t any() { return static_cast<std::uint32_t>(m_random()); }

    void add() {
        const bool isOneColor = any() % 2 == 0, isOneTexel = any() % 3 == 0, isFar = any() % 10 == 0, isOnGrid = any() % 2 == 0;
        const std::uint32_t color = any() | (any() % 2 == 0 ? 0xff000000 : 0);
        const ImVec2 uv = {between(0, 1), between(0, 1)};
        const float reach = isFar ? 5000 : 20;
        const auto first = static_cast<std::uint32_t>(lists.vertices.size());
        for (std::uint32_t corner = 0; corner < 3; ++corner) {
            ImVec2 place = {between(-reach, static_cast<float>(lists.width) + reach),
                            between(-reach, static_cast<float>(lists.height) + reach)};
            if (isOnGrid) place = {std::floor(place.x), std::floor(place.y)};
            lists.vertices.push_back(
                {place, isOneTexel ? uv : ImVec2(between(-0.2f, 1.2f), between(-0.2f, 1.2f)), isOneColor ? color : any()});
            lists.indices.push_back(static_cast<ImDrawIdx>(first + corner));
        }
        const int left = static_cast<int>(any() % 10), top = static_cast<int>(any() % 10);
        lists.commands.push_back(
            {left, top, lists.width - left, lists.height - top - static_cast<int>(any() % 10), any() % 3, 3, first, 0});
    }

    std::mt19937 m_random;
};

TEST(Rasterizer, EqualsTheReferenceOnAnyTriangles) {
    ReferenceTextures textures;
    std::vector<TextureChange> changes;
    std::mt19937 random(5);
    for (const auto& [id, filter] : {std::pair(0u, Filter::Linear), {1u, Filter::Nearest}, {2u, Filter::Nearest}}) {
        const int width = 1 + static_cast<int>(random() % 9), height = 1 + static_cast<int>(random() % 9);
        std::vector<std::uint32_t> texels(static_cast<std::size_t>(width * height));
        for (std::uint32_t& texel : texels) texel = static_cast<std::uint32_t>(random()) | (id == 1 ? 0xff000000 : 0);
        textures[id] = {width, height, texels, filter};
        const TextureRect whole{0, 0, width, height};
        changes.push_back({.kind = TextureChange::Kind::Create, .texture = id, .rect = whole, .filter = filter});
        changes.push_back({.kind = TextureChange::Kind::Update, .texture = id, .rect = whole, .words = texels});
    }
    RasterTextures drawn;
    drawn.apply(changes);
    for (unsigned seed = 1; seed <= 150; ++seed) {
        const RandomTriangles triangles(seed);
        std::vector<std::uint32_t> pixels(static_cast<std::size_t>(triangles.lists.width * triangles.lists.height));
        ASSERT_TRUE(rasterize(triangles.lists, drawn, pixels, 1 + seed % 4));
        ASSERT_EQ(pixels, drawReference(triangles.lists, textures)) << seed;
    }
}

TEST(Rasterizer, DrawsNothingOfWhatHasNoPlace) {
    RasterTextures textures;
    textures.apply({{.kind = TextureChange::Kind::Create, .texture = 0, .rect = {0, 0, 1, 1}},
                    {.kind = TextureChange::Kind::Update, .texture = 0, .rect = {0, 0, 1, 1}, .words = {white}}});
    DrawLists lists;
    lists.width = lists.height = 8;
    lists.scaleX = lists.scaleY = 0.25f;
    lists.moveX = lists.moveY = -1;
    lists.commands = {{0, 0, 8, 8, 0, 3, 0, 0}};
    lists.indices = {0, 1, 2};
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const float broken : {nan, infinity, -infinity}) {
        lists.vertices = {{{0, 0}, {0, 0}, drawnRed}, {{8, broken}, {0, 0}, drawnRed}, {{0, 8}, {broken, 0}, drawnRed}};
        std::vector<std::uint32_t> pixels(64);
        ASSERT_TRUE(rasterize(lists, textures, pixels, 1));
        EXPECT_EQ(std::ranges::count(pixels, 0u), 64);
    }
    lists.vertices = {
        {{-3e38f, -3e38f}, {nan, 0}, drawnRed}, {{3e38f, -3e38f}, {nan, 0}, drawnRed}, {{0, 3e38f}, {nan, 0}, drawnRed}};
    std::vector<std::uint32_t> pixels(64);
    ASSERT_TRUE(rasterize(lists, textures, pixels, 1));
    EXPECT_EQ(std::ranges::count(pixels, drawnRed), 64) << "far outside is not nowhere";
}

} // namespace
} // namespace wb::test
