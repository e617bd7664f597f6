// SPDX-License-Identifier: MIT
#include "core/quant/kernels/simd_choice.h"

#include "core/quant/quantize.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace wb::quant {
namespace {

struct SimdChoiceTest : testing::Test {
    ~SimdChoiceTest() override { chooseSimd(""); }
};

TEST_F(SimdChoiceTest, ScalarLeavesOtherKernelsAlone) {
    const std::int64_t before = hwy::SupportedTargets();
    EXPECT_TRUE(chooseSimd("scalar"));
    EXPECT_TRUE(usesScalarForm());
    EXPECT_EQ(hwy::SupportedTargets(), before);
}

TEST_F(SimdChoiceTest, ALevelForbidsBetterOnes) {
    const auto levels = hwy::SupportedAndGeneratedTargets();
    EXPECT_TRUE(chooseSimd(levels.back() == HWY_AVX3 ? "AVX-512" : hwy::TargetName(levels.back())));
    EXPECT_FALSE(usesScalarForm());
    EXPECT_EQ(hwy::SupportedAndGeneratedTargets(), std::vector<std::int64_t>{levels.back()});
    EXPECT_TRUE(chooseSimd(""));
    EXPECT_EQ(hwy::SupportedAndGeneratedTargets(), levels);
}

TEST_F(SimdChoiceTest, UnknownNamesChangeNothing) {
    const std::int64_t before = hwy::SupportedTargets();
    EXPECT_FALSE(chooseSimd("avx9"));
    EXPECT_FALSE(usesScalarForm());
    EXPECT_EQ(hwy::SupportedTargets(), before);
}

} // namespace
} // namespace wb::quant
