// SPDX-License-Identifier: MIT
#include "gpu/device/subnormals.h"

#include "gpu/device/run_once.h"
#include "gpu/shaders/subnormals.spv.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace wb::gpu {
namespace {

constexpr std::uint32_t subnormalCases = 256, wordsOut = 4;

// Pairs of which operands, product or sum are subnormal, by turns; deterministic.
std::vector<std::uint32_t> subnormalInputs() {
    std::vector<std::uint32_t> words;
    std::uint32_t state = 2463534242u;
    const auto bits = [&state](std::uint32_t exponent) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return (state & 0x807fffffu) | exponent << 23;
    };
    for (std::uint32_t at = 0; at < subnormalCases; ++at) {
        const std::uint32_t a = bits(at % 4 == 0 ? 0 : at % 4 == 1 ? 60 : 2);
        const std::uint32_t b = at % 4 == 3 ? a ^ 0x80000001u : bits(at % 4 == 1 ? 60 : at % 4 == 2 ? 120 : 0);
        words.insert(words.end(), {a, b});
    }
    return words;
}

std::array<std::uint32_t, wordsOut> expectedSubnormals(std::uint32_t first, std::uint32_t second) {
    const float a = std::bit_cast<float>(first), b = std::bit_cast<float>(second);
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    const std::uint32_t compared = (a < b ? 1u : 0u) | (a == 0 ? 2u : 0u) | (b == 0 ? 4u : 0u);
    return {bits(a * b), bits(a + b), compared, bits(std::max(std::fabs(a), std::fabs(b)))};
}

} // namespace

Result<bool> keepsSubnormals(const DevicePtr& device) {
    const std::vector<std::vector<std::uint32_t>> words = {subnormalInputs()};
    WB_TRY_ASSIGN(const auto results, runOnce(device, {"subnormals", shaders::subnormals, 2, 4}, words, subnormalCases * wordsOut,
                                              subnormalCases, subnormalCases / 64));
    for (std::size_t at = 0; at < subnormalCases; ++at) {
        const auto wanted = expectedSubnormals(words[0][at * 2], words[0][at * 2 + 1]);
        if (!std::ranges::equal(wanted, std::span(results).subspan(at * wordsOut, wordsOut))) return false;
    }
    return true;
}

} // namespace wb::gpu
