// SPDX-License-Identifier: MIT
#include "gpu/device/fused.h"

#include "gpu/device/run_once.h"
#include "gpu/shaders/fused.spv.h"

#include <bit>
#include <cmath>

namespace wb::gpu {
namespace {

constexpr std::uint32_t cases = 256;

// Numbers of full length between 1 and 2, and minus their rounded product by turns, which leaves what the rounding took away;
// deterministic.
std::vector<std::uint32_t> inputs() {
    std::vector<std::uint32_t> words;
    std::uint32_t state = 2463534242u;
    const auto number = [&state] {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        return std::bit_cast<float>(0x3f800000u | (state & 0x7fffffu));
    };
    for (std::uint32_t at = 0; at < cases; ++at) {
        const float a = number(), b = number(), c = at % 2 == 0 ? -(a * b) : number();
        for (const float value : {a, b, c}) words.push_back(std::bit_cast<std::uint32_t>(value));
    }
    return words;
}

} // namespace

Result<bool> fusesMultiplyAdd(const DevicePtr& device) {
    const std::vector<std::vector<std::uint32_t>> words = {inputs()};
    WB_TRY_ASSIGN(const auto results, runOnce(device, {"fused", shaders::fused, 2, 4}, words, cases, cases, cases / 64));
    for (std::uint32_t at = 0; at < cases; ++at) {
        const auto input = [&](std::uint32_t i) { return std::bit_cast<float>(words[0][3 * at + i]); };
        if (std::bit_cast<float>(results[at]) != std::fma(input(0), input(1), input(2))) return false;
    }
    return true;
}

} // namespace wb::gpu
