// SPDX-License-Identifier: MIT
#include "tests/gpu/imview/draw_fixture.h"

#include <cmath>
#include <limits>
#include <random>

namespace wb::test {
namespace {

using namespace gpu::imview;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Neighbouring colours differ by one in red, so that a pixel tells its place.
ColorScale ramp(Curve curve, float low, float high, float linearWidth = 1) {
    ColorScale scale{.low = low, .high = high, .curve = curve, .linearWidth = linearWidth};
    for (std::uint32_t place = 0; place < 256; ++place) scale.colors[place] = 0xff004000 | place;
    scale.nan = 0xff0000f0;
    scale.positiveInfinity = 0xff00f000;
    scale.negativeInfinity = 0xfff00000;
    return scale;
}

TEST(ColorScale, EndsMiddleAndReservedColors) {
    const ColorScale linear = ramp(Curve::Linear, -2, 2);
    EXPECT_EQ(scaleColor(linear, -2), linear.colors[0]);
    EXPECT_EQ(scaleColor(linear, 2), linear.colors[255]);
    EXPECT_EQ(scaleColor(linear, -90), linear.colors[0]);
    EXPECT_EQ(scaleColor(linear, 1e30f), linear.colors[255]);
    EXPECT_EQ(scaleColor(linear, 1), linear.colors[191]);
    EXPECT_EQ(scaleColor(linear, nan), linear.nan);
    EXPECT_EQ(scaleColor(linear, infinity), linear.positiveInfinity);
    EXPECT_EQ(scaleColor(linear, -infinity), linear.negativeInfinity);
    EXPECT_EQ(scaleColor(ramp(Curve::Linear, 3, 3), 3), linear.colors[128]) << "one value only: the middle";
}

TEST(ColorScale, SymmetricLogIsAsinh) {
    for (const float x : {0.0f, 1e-20f, 1e-3f, 0.5f, 1.0f, 77.0f, 9999.0f, 10001.0f, 1e19f, 3e38f}) {
        EXPECT_NEAR(symmetricLog(x), std::asinh(static_cast<double>(x)), 1e-6 + 1e-6 * std::asinh(static_cast<double>(x)));
        EXPECT_EQ(symmetricLog(-x), -symmetricLog(x));
    }
}

class ValueTextureTest : public DrawingTest {
protected:
    // The pixels of a texture of `values`, one pixel a value.
    PicturePtr drawValues(const std::vector<float>& values, const ColorScale& scale) {
        const int width = static_cast<int>(values.size());
        if (texture == 0) texture = (*canvas)->createValueTexture(width, 1);
        (*canvas)->updateValues(texture, {0, 0, width, 1}, values);
        (*canvas)->setColorScale(texture, scale);
        HandMadeFrame frame(static_cast<float>(width), 1);
        frame.quad({0, 0}, {static_cast<float>(width), 1}, white, texture, {0, 0}, {1, 1});
        return canvas->draw(frame);
    }

    TextureId texture = 0;
};

TEST_P(ValueTextureTest, TheShaderIsTheTwinOfColorOf) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal(0, 3);
    std::vector<float> values(500);
    for (float& value : values) value = normal(random);
    values[0] = nan;
    values[1] = infinity;
    values[2] = -infinity;
    values[3] = 3e38f;
    values[4] = -1e-40f;
    values[5] = -nan;
    for (const ColorScale& scale : {ramp(Curve::Linear, -5, 5), ramp(Curve::SymmetricLog, -8, 8, 0.01f), ramp(Curve::Linear, 0, 1),
                                    ramp(Curve::Linear, 2, 2)}) {
        const PicturePtr picture = drawValues(values, scale);
        ASSERT_TRUE(picture);
        for (std::size_t at = 0; at < values.size(); ++at) {
            const std::uint32_t expected = scaleColor(scale, values[at]), found = picturePixel(*picture, static_cast<int>(at), 0);
            EXPECT_EQ(found & 0xffffff00, expected & 0xffffff00) << values[at];
            EXPECT_NEAR(static_cast<int>(found & 0xff), static_cast<int>(expected & 0xff), isByProcessor() ? 0 : 1) << values[at];
        }
    }
}

TEST_P(ValueTextureTest, WhatWasNeverSetIsNaN) {
    const ColorScale scale = ramp(Curve::Linear, 0, 1);
    const TextureId fresh = (*canvas)->createValueTexture(2, 2);
    (*canvas)->setColorScale(fresh, scale);
    HandMadeFrame frame(4, 4);
    frame.quad({0, 0}, {4, 4}, white, fresh, {0, 0}, {1, 1});
    const PicturePtr picture = canvas->draw(frame);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picturePixel(*picture, 0, 0), scale.nan);
    EXPECT_EQ(picturePixel(*picture, 3, 3), scale.nan);
}

INSTANTIATE_TEST_SUITE_P(All, ValueTextureTest, testing::Values(Drawn::ByDevice, Drawn::ByProcessor), infoName);

} // namespace
} // namespace wb::test
