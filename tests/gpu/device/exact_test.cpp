// SPDX-License-Identifier: MIT
#include "gpu/device/run_once.h"
#include "gpu/shaders/self_test.spv.h"
#include "tests/gpu/support/gpu.h"

#include <bit>
#include <cmath>
#include <random>

// exact.glsl where its corrections have most to do: subnormal operands and results, quotients near the middle between two numbers,
// powers of two, zeros, infinities and NaN.
namespace wb::gpu {
namespace {

using GpuExact = test::GpuTest;

constexpr std::uint32_t cases = 1u << 16;
constexpr std::size_t wordsIn = 3, wordsOut = 8, quotientAt = 3, rootAt = 4;

float floatFromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }
bool isSame(std::uint32_t bits, float wanted) {
    return bits == std::bit_cast<std::uint32_t>(wanted) || (std::isnan(floatFromBits(bits)) && std::isnan(wanted));
}

std::uint32_t withExponent(std::uint32_t bits, std::uint32_t field) { return (bits & 0x807FFFFFu) | field << 23; }

std::vector<std::uint32_t> hardInputs() {
    std::mt19937 random(11);
    const auto bits = [&] { return static_cast<std::uint32_t>(random()); };
    constexpr std::uint32_t special[] = {0,           0x80000000u, 1,           0x007FFFFFu, 0x00800000u,
                                         0x3F800000u, 0x7F7FFFFFu, 0x7F800000u, 0xFF800000u, 0x7FC00000u};
    std::vector<std::uint32_t> words;
    for (std::uint32_t at = 0; at < cases; ++at) {
        std::uint32_t a = bits(), b = bits();
        switch (at % 6) {
        case 0: a = withExponent(a, 0); break;
        case 1: b = withExponent(b, bits() % 3); break;
        case 2: b = a + bits() % 5 - 2; break;
        case 3: a = withExponent(a | 0x007FFFF0u, 127), b = withExponent(b & 7, 120 + bits() % 16); break;
        case 4: a = withExponent(a, 1 + bits() % 20), b = withExponent(b, 127 + bits() % 20); break;
        default: a = special[bits() % std::size(special)], b = special[bits() % std::size(special)];
        }
        words.insert(words.end(), {a, b, 0});
    }
    return words;
}

TEST_F(GpuExact, DivisionAndRootAreThoseOfTheCpu) {
    const std::vector<std::vector<std::uint32_t>> words = {hardInputs()};
    const auto results = runOnce(device, {"self_test", shaders::self_test, 2, 4}, words, cases * wordsOut, cases, cases / 128);
    ASSERT_TRUE(results) << results.error().message();
    for (std::size_t at = 0; at < cases; ++at) {
        const float a = floatFromBits(words[0][at * wordsIn]), b = floatFromBits(words[0][at * wordsIn + 1]);
        ASSERT_TRUE(isSame((*results)[at * wordsOut + quotientAt], a / b)) << a << " / " << b;
        ASSERT_TRUE(isSame((*results)[at * wordsOut + rootAt], std::sqrt(std::fabs(a)))) << a;
    }
}

} // namespace
} // namespace wb::gpu
