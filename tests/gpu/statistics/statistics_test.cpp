// SPDX-License-Identifier: MIT
#include "tests/gpu/statistics/absent_device.h"
#include "tests/gpu/statistics/hot_shaders.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

// Compiler statistics of the hot shaders for cards that are not at hand: registers within a limit each, and nothing spilled. Each
// line is a row of the table in docs/reference/shader_statistics.md.
namespace wb::gpu {
namespace {

class Statistics : public testing::TestWithParam<std::size_t> {};

TEST_P(Statistics, StayWithinTheLimits) {
    const auto& [family, title] = gpuFamilies[GetParam()];
    const auto device = AbsentDevice::open(family);
    if (!device && device.error().code == ErrorCode::NotFound) GTEST_SKIP() << device.error().message();
    ASSERT_TRUE(device) << device.error().message();
    std::printf("%s, %s\n", title, device->driver().c_str());
    for (const HotShader& shader : hotShaders()) {
        const auto statistics = device->compile(shader.code);
        ASSERT_TRUE(statistics) << shader.title << ": " << statistics.error().message();
        fmt::print("| {} | {} | {} | {} | {} | {} | {:.1f} |\n", shader.title, statistics->vectorRegisters, statistics->subgroups,
                   statistics->spilled, statistics->sharedBytes, statistics->codeBytes, statistics->bytesOfLoad);
        const ShaderLimits* const limits = findLimits(shader.title);
        if (!limits) {
            ADD_FAILURE() << shader.title << " has no limits";
            continue;
        }
        const ShaderLimit& limit = limits->of[GetParam()];
        EXPECT_GT(statistics->vectorRegisters, 0u) << shader.title;
        EXPECT_LE(statistics->vectorRegisters, limit.registers) << shader.title;
        EXPECT_GE(statistics->subgroups, limit.subgroups) << shader.title;
        EXPECT_LE(statistics->spilled, limit.spilled) << shader.title;
        EXPECT_TRUE(statistics->scratch == 0 || limit.spilled > 0) << shader.title;
    }
}

INSTANTIATE_TEST_SUITE_P(Families, Statistics, testing::Range<std::size_t>(0, gpuFamilies.size()),
                         [](const auto& family) { return std::string(gpuFamilies[family.param].name); });

} // namespace
} // namespace wb::gpu
