// SPDX-License-Identifier: MIT
#include "core/infer/simd_levels.h"

#include "core/infer/cpu/kernels/kernels.h"

#include <gmock/gmock.h>
#include <hwy/targets.h>

namespace wb::infer {
namespace {

struct SimdLevelsTest : testing::Test {
    ~SimdLevelsTest() override { chooseSimd(""); }
};

// The kernel that reads prompts of one type, by which levels can be told apart.
cpu::Multiply promptKernel(const cpu::Kernels& kernels) {
    return kernels.multiplyGroups[static_cast<std::size_t>(cpu::PanelType::Q4_0)];
}

TEST_F(SimdLevelsTest, EveryNamedLevelCanBeChosen) {
    std::vector<cpu::Multiply> seen;
    for (const std::string& level : simdLevels()) {
        ASSERT_TRUE(chooseSimd("") && chooseSimd(level)) << level;
        const cpu::Multiply kernel = promptKernel(cpu::simdKernels());
        EXPECT_THAT(seen, testing::Not(testing::Contains(kernel))) << level;
        seen.push_back(kernel);
    }
}

TEST_F(SimdLevelsTest, ALevelOfVectorsLeavesProductsOut) {
    for (const std::string& level : simdLevels()) {
        ASSERT_TRUE(chooseSimd("") && chooseSimd(level));
        if (level != hwy::TargetName(hwy::SupportedTargets() & -hwy::SupportedTargets()) && level != "AVX-512") continue;
        EXPECT_EQ(promptKernel(cpu::simdKernels()), promptKernel(cpu::simdKernels(cpu::ByteProducts::None))) << level;
    }
}

TEST_F(SimdLevelsTest, NoChoiceIsTheBest) {
    ASSERT_FALSE(simdLevels().empty());
    ASSERT_TRUE(chooseSimd(""));
    const cpu::Multiply best = promptKernel(cpu::simdKernels());
    ASSERT_TRUE(chooseSimd(simdLevels().front()));
    EXPECT_EQ(promptKernel(cpu::simdKernels()), best);
}

TEST_F(SimdLevelsTest, UnknownNamesChangeNothing) {
    const auto before = simdLevels();
    EXPECT_FALSE(chooseSimd("AVX9"));
    EXPECT_FALSE(chooseSimd("avx-vnni"));
    EXPECT_EQ(simdLevels(), before);
}

} // namespace
} // namespace wb::infer
