// SPDX-License-Identifier: MIT
#include "gpu/device/instance.h"
#include "gpu/imview/worker.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/imview/draw_fixture.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace wb::test {
namespace {

using namespace gpu::imview;

constexpr std::uint32_t red = 0xff0000ff, green = 0xff00ff00;

// Bytes resident; 0 where the system does not tell this way.
std::uint64_t resident() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t total = 0, pages = 0;
    file >> total >> pages;
    return pages * 4096;
}

HandMadeFrame plain(std::uint32_t color, float size = 32) {
    HandMadeFrame frame(size, size);
    frame.quad({0, 0}, {size, size}, color);
    return frame;
}

TEST_F(CanvasTest, NothingIsOpenedBeforeTheFirstFrame) {
    int opened = 0;
    const auto counting = std::make_shared<Renderer>([&]() -> Result<std::shared_ptr<gpu::Device>> {
        ++opened;
        return device;
    });
    TestCanvas own(counting);
    own->createTexture(100, 100, Filter::Nearest);
    EXPECT_EQ(own->state(), Canvas::State::Waiting);
    EXPECT_EQ(opened, 0);
    HandMadeFrame frame = plain(red);
    ASSERT_TRUE(own.draw(frame));
    TestCanvas other(counting);
    ASSERT_TRUE(other.draw(frame));
    EXPECT_EQ(opened, 1) << "canvases share the device";
    EXPECT_EQ(own->state(), Canvas::State::Ready);
}

TEST_F(CanvasTest, AFrameOfNoPixelsGivesNoPicture) {
    HandMadeFrame empty(0, 40);
    const int changes = canvas->changes();
    (*canvas)->draw(empty.data());
    HandMadeFrame frame = plain(red);
    const PicturePtr picture = canvas->draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->frame, 2u);
    EXPECT_EQ(picturePixel(*picture, 31, 31), red);
    EXPECT_EQ(canvas->changes(), changes + 1);
}

TEST_F(CanvasTest, TheNewestFrameWins) {
    std::uint64_t last = 0;
    for (int frame = 0; frame < 50; ++frame) {
        HandMadeFrame next = plain(frame == 49 ? green : red);
        if (frame < 49) last = (*canvas)->draw(next.data());
        else {
            const PicturePtr picture = canvas->draw(next);
            ASSERT_TRUE(picture);
            EXPECT_EQ(picture->frame, last + 1);
            EXPECT_EQ(picturePixel(*picture, 5, 5), green);
        }
    }
}

TEST_F(CanvasTest, PicturesThatAreHeldKeepTheirPixels) {
    std::vector<PicturePtr> held;
    for (std::uint32_t frame = 0; frame < 6; ++frame) {
        HandMadeFrame next = plain(0xff000000 | frame * 40, static_cast<float>(30 + frame));
        held.push_back(canvas->draw(next));
        ASSERT_TRUE(held.back());
    }
    canvas.reset();
    renderer.reset();
    for (std::uint32_t frame = 0; frame < 6; ++frame) {
        EXPECT_EQ(held[frame]->width, static_cast<int>(30 + frame));
        EXPECT_EQ(picturePixel(*held[frame], 29, 29), 0xff000000 | frame * 40);
    }
}

TEST_F(CanvasTest, CommandsOfADestroyedTextureDrawNothing) {
    const TextureId texture = (*canvas)->createTexture(1, 1, Filter::Nearest);
    (*canvas)->updateTexture(texture, {0, 0, 1, 1}, std::array{white});
    HandMadeFrame frame(8, 8);
    frame.quad({0, 0}, {4, 8}, red, texture);
    frame.quad({4, 0}, {8, 8}, green);
    const std::uint64_t number = (*canvas)->draw(frame.data());
    (*canvas)->destroyTexture(texture); // this frame does not see it yet, wherever the other thread is
    PicturePtr picture = canvas->waitFor(number);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picturePixel(*picture, 1, 1), red);
    picture = canvas->draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picturePixel(*picture, 1, 1), 0u);
    EXPECT_EQ(picturePixel(*picture, 5, 1), green);
}

TEST_F(CanvasTest, AThousandFramesDoNotGrow) {
    const std::vector<std::uint32_t> texels(64 * 64, green);
    const auto draw = [&](int frame) {
        const TextureId texture = (*canvas)->createTexture(64, 64, Filter::Linear);
        (*canvas)->updateTexture(texture, {0, 0, 64, 64}, texels);
        HandMadeFrame next(static_cast<float>(100 + frame % 90), 120);
        next.quad({0, 0}, {100, 100}, white, texture, {0, 0}, {1, 1});
        const PicturePtr picture = canvas->draw(next);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picturePixel(*picture, 50, 50), green);
        (*canvas)->destroyTexture(texture);
    };
    for (int frame = 0; frame < 200; ++frame) draw(frame);
    const std::uint64_t before = resident();
    for (int frame = 0; frame < 1000; ++frame) draw(frame);
    // A texture that stayed would be 16 MB by now, a picture 50 MB.
    EXPECT_LE(resident(), before + (4u << 20));
}

TEST_F(CanvasTest, ALostDeviceIsReportedAndANewCanvasWorks) {
    auto faulty = testDevice();
    ASSERT_TRUE(faulty);
    canvas.reset(); // so that no other test's device is lost along: the fault is the device's
    renderer.reset();
    device.reset();
    int opened = 0;
    const auto own = std::make_shared<Renderer>([&]() -> Result<std::shared_ptr<gpu::Device>> {
        auto next = testDevice();
        if (next && ++opened == 1) test::injectFault(**next, test::Fault::Lost, 2);
        return next;
    });
    faulty->reset();

    auto first = std::make_unique<TestCanvas>(own);
    HandMadeFrame frame = plain(red);
    EXPECT_TRUE(first->draw(frame));
    EXPECT_TRUE(first->draw(frame));
    EXPECT_FALSE(first->draw(frame));
    EXPECT_EQ((*first)->state(), Canvas::State::Lost);
    ASSERT_TRUE((*first)->error());
    EXPECT_EQ((*first)->error()->code, ErrorCode::DeviceLost);

    TestCanvas second(own);
    second->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
    const PicturePtr picture = second.draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(opened, 2);
    EXPECT_EQ(picturePixel(*picture, 3, 3), red);
    expectSilentValidation();
}

// The same hardware opened twice stands for two devices.
TEST_F(CanvasTest, AnotherDeviceThatIsChosenDrawsTheNextFrame) {
    const auto instance = gpu::Instance::get();
    ASSERT_TRUE(instance);
    const auto found =
        std::ranges::find((*instance)->devices(), device->info().index, [](const auto& entry) { return entry.info.index; });
    const auto second = gpu::Device::create(found->handle, found->info);
    ASSERT_TRUE(second);
    gpu::DevicePtr chosen = device;
    const auto own = std::make_shared<Renderer>([&]() -> Result<gpu::DevicePtr> { return chosen; });
    HandMadeFrame frame = plain(red);
    TestCanvas before(own);
    before->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
    EXPECT_TRUE(before.draw(frame));
    own->reopen();
    EXPECT_TRUE(before.draw(frame)); // it is still the best choice
    EXPECT_EQ(before->state(), Canvas::State::Ready);
    chosen = *second;
    own->reopen();
    EXPECT_FALSE(before.draw(frame));
    EXPECT_EQ(before->state(), Canvas::State::Moved);
    EXPECT_FALSE(before->error());

    TestCanvas after(own);
    after->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
    const PicturePtr picture = after.draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picturePixel(*picture, 3, 3), red);
    expectSilentValidation();
}

TEST(Renderer, DrawsOnTheChosenDeviceWhereItCan) {
    const auto made = [](const char* id, bool usable, bool graphics) {
        gpu::DeviceInfo info;
        info.id = id;
        info.usable = usable;
        info.graphics = graphics;
        return info;
    };
    const std::vector<gpu::DeviceInfo> all = {made("compute-only", true, false), made("best", true, true), made("old", false, true),
                                              made("slow", true, true)};
    EXPECT_EQ(drawingDevice(all, "")->id, "best");
    EXPECT_EQ(drawingDevice(all, "slow")->id, "slow");
    for (const char* cannot : {"compute-only", "old", "taken out"}) EXPECT_EQ(drawingDevice(all, cannot)->id, "best");
    EXPECT_EQ(drawingDevice(std::span(all).first(1), "compute-only"), nullptr);
}

TEST_F(CanvasTest, AfterTheSecondLossTheProcessorDraws) {
    canvas.reset();
    renderer.reset();
    device.reset();
    int opened = 0;
    const auto own = std::make_shared<Renderer>([&]() -> Result<std::shared_ptr<gpu::Device>> {
        ++opened;
        auto next = testDevice();
        if (next) test::injectFault(**next, test::Fault::Lost, 1);
        return next;
    });
    HandMadeFrame frame = plain(red);
    for (int loss = 0; loss < 2; ++loss) {
        TestCanvas losing(own);
        EXPECT_TRUE(losing.draw(frame));
        EXPECT_FALSE(losing.draw(frame));
        EXPECT_EQ(losing->state(), Canvas::State::Lost);
    }
    TestCanvas last(own);
    last->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
    for (int i = 0; i < 3; ++i) {
        const PicturePtr picture = last.draw(frame);
        ASSERT_TRUE(picture);
        EXPECT_EQ(picturePixel(*picture, 3, 3), red);
    }
    EXPECT_EQ(opened, 2);
    own->reopen();
    EXPECT_FALSE(last.draw(frame));
    EXPECT_EQ(last->state(), Canvas::State::Moved) << "the user chose a device again";
    EXPECT_EQ(opened, 3);
    expectSilentValidation();
}

TEST_F(CanvasTest, ADeviceThatHasNoMemoryLeavesTheWorkToTheProcessor) {
    canvas.reset();
    renderer.reset();
    device.reset();
    const auto own = std::make_shared<Renderer>([&]() -> Result<std::shared_ptr<gpu::Device>> {
        auto next = testDevice();
        if (next) test::injectFault(**next, test::Fault::Memory, 1);
        return next;
    });
    TestCanvas first(own);
    HandMadeFrame frame = plain(red);
    EXPECT_TRUE(first.draw(frame));
    HandMadeFrame larger = plain(red, 600); // for which memory is taken anew
    EXPECT_FALSE(first.draw(larger));
    EXPECT_EQ(first->state(), Canvas::State::Moved);
    TestCanvas second(own);
    second->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
    const PicturePtr picture = second.draw(larger);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picturePixel(*picture, 599, 599), red);
    expectSilentValidation();
}

TEST(Renderer, WithoutADeviceTheProcessorDraws) {
    int opened = 0;
    const auto renderer = std::make_shared<Renderer>([&]() -> Result<std::shared_ptr<gpu::Device>> {
        ++opened;
        return fail(ErrorCode::NotFound, Reason("test.failure"), "No device.");
    });
    std::vector<PicturePtr> held;
    {
        TestCanvas canvas(renderer);
        canvas->updateTexture(fontTexture, {0, 0, 1, 1}, std::array{white});
        for (std::uint32_t i = 0; i < 4; ++i) {
            HandMadeFrame frame = plain(red + (i << 8));
            held.push_back(canvas.draw(frame));
            ASSERT_TRUE(held.back());
        }
        EXPECT_EQ(canvas->state(), Canvas::State::Ready);
    }
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(picturePixel(*held[i], 31, 31), red + (i << 8)) << "a picture that is held";
    EXPECT_EQ(opened, 1);
}

} // namespace
} // namespace wb::test
