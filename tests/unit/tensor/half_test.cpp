// SPDX-License-Identifier: MIT
#include "core/tensor/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace wb {
namespace {

std::uint32_t bitsFromValue(float value) { return std::bit_cast<std::uint32_t>(value); }
float fromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// The value of a code by the definition of its type.
float byDefinition(int code, int exponentBits, int mantissaBits, int bias) {
    const int field = code >> mantissaBits & ((1 << exponentBits) - 1);
    const int mantissa = code & ((1 << mantissaBits) - 1);
    const float fraction = std::ldexp(static_cast<float>(mantissa), -mantissaBits);
    const float magnitude = field == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0F + fraction, field - bias);
    return (code >> (exponentBits + mantissaBits) & 1) != 0 ? -magnitude : magnitude;
}

// Every code that stands for a number, against the definition.
template <class Code, class IsNumber>
void expectNumbers(float (*convert)(Code), int codes, IsNumber isNumber, int exponentBits, int mantissaBits, int bias) {
    for (int code = 0; code < codes; ++code) {
        if (!isNumber(code)) continue;
        const float expected = byDefinition(code, exponentBits, mantissaBits, bias);
        EXPECT_EQ(bitsFromValue(convert(static_cast<Code>(code))), bitsFromValue(expected)) << code;
    }
}

TEST(Half, F16) {
    expectNumbers(f16ToF32, 65536, [](int code) { return (code & 0x7C00) != 0x7C00; }, 5, 10, 15);
    EXPECT_EQ(f16ToF32(0x7C00), std::numeric_limits<float>::infinity());
    EXPECT_EQ(f16ToF32(0xFC00), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(bitsFromValue(f16ToF32(0x7C01)), 0x7FC02000u) << "a signalling NaN becomes quiet";
    EXPECT_EQ(bitsFromValue(f16ToF32(0xFFFF)), 0xFFFFE000u);
}

TEST(Half, EveryF16CodeComesBack) {
    for (int code = 0; code < 65536; ++code) {
        const bool nan = (code & 0x7FFF) > 0x7C00;
        const int expected = nan ? (code & 0x8000) | 0x7E00 : code;
        EXPECT_EQ(f32ToF16(f16ToF32(static_cast<std::uint16_t>(code))), expected) << code;
    }
}

TEST(Half, F16RoundsToNearestEvenBetweenAllNeighbors) {
    for (int code = 0; code < 0x7C00; ++code) { // the value half-way to the next code, and one ulp of f32 to either side
        const float low = f16ToF32(static_cast<std::uint16_t>(code));
        const float high = code == 0x7BFF ? 65536.0F : f16ToF32(static_cast<std::uint16_t>(code + 1));
        const float middle = low + (high - low) / 2;
        EXPECT_EQ(f32ToF16(std::nextafter(middle, 0.0F)), code);
        EXPECT_EQ(f32ToF16(middle), code % 2 == 0 ? code : code + 1);
        EXPECT_EQ(f32ToF16(std::nextafter(middle, high)), code + 1);
        EXPECT_EQ(f32ToF16(-middle), (code % 2 == 0 ? code : code + 1) | 0x8000);
    }
}

TEST(Half, F16Extremes) {
    EXPECT_EQ(f32ToF16(1e-45F), 0);
    EXPECT_EQ(f32ToF16(-1e-45F), 0x8000);
    EXPECT_EQ(f32ToF16(1e38F), 0x7C00);
    EXPECT_EQ(f32ToF16(-std::numeric_limits<float>::infinity()), 0xFC00);
    EXPECT_EQ(f32ToF16(fromBits(0xFF800001u)), 0xFE00);
}

TEST(Half, Bf16RoundsOnTheBitPattern) {
    for (std::uint32_t code = 0; code < 65536; ++code) {
        const auto half = static_cast<std::uint16_t>(code);
        EXPECT_EQ(bitsFromValue(bf16ToF32(half)), code << 16);
        const bool nan = (code & 0x7FFF) > 0x7F80;
        EXPECT_EQ(f32ToBf16(bf16ToF32(half)), nan ? half | 64 : half);
        if ((code & 0x7F80) == 0x7F80) continue;
        EXPECT_EQ(f32ToBf16(fromBits(code << 16 | 0x7FFF)), half);
    }
    EXPECT_EQ(f32ToBf16(fromBits(0x00018000u)), 2) << "ties go to even, among subnormals too";
    EXPECT_EQ(f32ToBf16(fromBits(0x00028000u)), 2);
    EXPECT_EQ(f32ToBf16(fromBits(0x7F7FFFFFu)), 0x7F80) << "the largest f32 becomes infinity";
    EXPECT_EQ(f32ToBf16(fromBits(0x7F800001u)), 0x7FC0) << "and a NaN with no upper payload stays one";
}

TEST(SmallFloats, DecodeByTheirDefinition) {
    const auto fnuz = [](int code) { return code != 0x80; };
    const auto all = [](int) { return true; };
    expectNumbers(f8E4m3ToF32, 256, [](int code) { return (code & 0x7F) != 0x7F; }, 4, 3, 7);
    expectNumbers(f8E5m2ToF32, 256, [](int code) { return (code & 0x7C) != 0x7C; }, 5, 2, 15);
    expectNumbers(f8E4m3FnuzToF32, 256, fnuz, 4, 3, 8);
    expectNumbers(f8E5m2FnuzToF32, 256, fnuz, 5, 2, 16);
    expectNumbers(f6E2m3ToF32, 64, all, 2, 3, 1);
    expectNumbers(f6E3m2ToF32, 64, all, 3, 2, 3);
    expectNumbers(f4ToF32, 16, all, 2, 1, 1);
}

TEST(SmallFloats, Scales) {
    for (int code = 0; code < 256; ++code) {
        const auto c = static_cast<std::uint8_t>(code);
        EXPECT_EQ(e8m0HalfToF32(c), std::ldexp(1.0F, code - 128));
        EXPECT_EQ(ue4m3HalfToF32(c), code == 0x7F ? 0.0F : byDefinition(code & 0x7F, 4, 3, 7) / 2);
        if (code == 0xFF) continue;
        EXPECT_EQ(e8m0ToF32(c), std::ldexp(1.0F, code - 127));
    }
}

TEST(SmallFloats, Ue4m3CodesComeBack) {
    for (int code = 0; code < 120; ++code) { // from 120 on, the encoder knows 126 only
        const float value = 2 * ue4m3HalfToF32(static_cast<std::uint8_t>(code));
        const float next = 2 * ue4m3HalfToF32(static_cast<std::uint8_t>(code + 1));
        const float middle = (value + next) / 2;
        EXPECT_EQ(f32ToUe4m3(value), code);
        EXPECT_EQ(f32ToUe4m3(middle * 0.999F), code);
        const int up = code == 7 ? 7 : code == 119 ? 126 : code + 1; // between subnormal and normal the halves stay below
        EXPECT_EQ(f32ToUe4m3(middle), up) << code;
    }
    EXPECT_EQ(f32ToUe4m3(256.0F), 126);
    EXPECT_EQ(f32ToUe4m3(std::numeric_limits<float>::infinity()), 126);
    EXPECT_EQ(f32ToUe4m3(-1.0F), 0);
    EXPECT_EQ(f32ToUe4m3(std::numeric_limits<float>::quiet_NaN()), 0);
    EXPECT_EQ(f32ToUe4m3(1e-45F), 0);
}

TEST(SmallFloats, Extremes) {
    EXPECT_EQ(f8E4m3ToF32(0x7E), 448.0F);
    EXPECT_EQ(f8E4m3FnuzToF32(0x7F), 240.0F);
    EXPECT_EQ(f8E5m2ToF32(0x7B), 57344.0F);
    EXPECT_EQ(f8E5m2FnuzToF32(0x7F), 57344.0F);
    EXPECT_EQ(f6E2m3ToF32(31), 7.5F);
    EXPECT_EQ(f6E3m2ToF32(31), 28.0F);
    EXPECT_EQ(f4ToF32(7), 6.0F);
    EXPECT_EQ(f8E5m2ToF32(0xFC), -std::numeric_limits<float>::infinity());
}

TEST(SmallFloats, NansKeepTheirSignWhereTheyHaveOne) {
    EXPECT_EQ(bitsFromValue(f8E4m3ToF32(0x7F)), 0x7FC00000u);
    EXPECT_EQ(bitsFromValue(f8E4m3ToF32(0xFF)), 0xFFC00000u);
    EXPECT_EQ(bitsFromValue(f8E4m3FnuzToF32(0x80)), 0x7FC00000u);
    EXPECT_EQ(bitsFromValue(f8E5m2FnuzToF32(0x80)), 0x7FC00000u);
    EXPECT_EQ(bitsFromValue(e8m0ToF32(0xFF)), 0x7FC00000u);
    for (const int code : {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF})
        EXPECT_TRUE(std::isnan(f8E5m2ToF32(static_cast<std::uint8_t>(code))));
}

} // namespace
} // namespace wb
