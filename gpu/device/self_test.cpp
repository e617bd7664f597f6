// SPDX-License-Identifier: MIT
#include "gpu/device/self_test.h"

#include "gpu/device/run_once.h"
#include "gpu/shaders/self_test.spv.h"

#include <array>
#include <bit>
#include <cmath>

namespace wb::gpu {
namespace {

constexpr std::uint32_t cases = 4096;
constexpr std::array<const char*, 8> operations = {"addition", "multiplication",      "multiply-add",  "division",
                                                   "root",     "wide multiplication", "shared memory", "bit search"};

// Deterministic bits (xorshift32). Exponents are kept within 2^±40, where no result is subnormal or infinite: what a device does
// with those is tested where it matters, in each quantizer's own self-test, which has rows of every magnitude.
std::vector<std::uint32_t> inputs() {
    std::vector<std::uint32_t> words(std::size_t{cases} * 3);
    std::uint32_t state = 2463534242u;
    for (std::uint32_t& word : words) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        word = (state & 0x807fffffu) | ((127 - 40 + (state >> 24) % 81) << 23);
    }
    return words;
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

std::array<std::uint32_t, 8> expected(const std::vector<std::uint32_t>& words, std::size_t at) {
    const std::uint32_t first = words[at * 3], second = words[at * 3 + 1];
    const float a = std::bit_cast<float>(first), b = std::bit_cast<float>(second), c = std::bit_cast<float>(words[at * 3 + 2]);
    const float product = a * b;
    const std::uint64_t wide = std::uint64_t{first} * second;
    return {bits(a + b),
            bits(product),
            bits(product + c),
            bits(a / b),
            bits(std::sqrt(std::fabs(a))),
            static_cast<std::uint32_t>(wide >> 32) ^ static_cast<std::uint32_t>(wide),
            words[(at ^ 1) * 3],
            static_cast<std::uint32_t>(std::bit_width(first | 1) - 1)};
}

Result<void> compare(const DeviceInfo& info, const std::vector<std::uint32_t>& words, std::span<const std::uint32_t> results) {
    for (std::size_t at = 0; at < cases; ++at) {
        const auto wanted = expected(words, at);
        for (std::size_t operation = 0; operation < wanted.size(); ++operation) {
            if (results[at * wanted.size() + operation] != wanted[operation])
                return fail(ErrorCode::Unsupported, Reason("device.self_test"),
                            WB_TEXT("The GPU {} produces wrong results ({}); the CPU is used instead."), info.name,
                            operations[operation]);
        }
    }
    return {};
}

} // namespace

Result<void> runSelfTest(const DevicePtr& device) {
    const std::vector<std::vector<std::uint32_t>> words = {inputs()};
    WB_TRY_ASSIGN(const auto results,
                  runOnce(device, {"self_test", shaders::self_test, 2, 4}, words, cases * operations.size(), cases, cases / 128));
    return compare(device->info(), words.front(), results);
}

} // namespace wb::gpu
