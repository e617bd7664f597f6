// SPDX-License-Identifier: MIT
#include "gpu/compute/quantizer.h"
#include "gpu/quant/quantizer_self_test.h"
#include "gpu/quant/self_test_rows.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"

#include <algorithm>
#include <cmath>
#include <random>

// A device that flushes subnormal numbers, which Vulkan allows: preload/flush_subnormals.cpp makes software Vulkan one.
namespace wb::gpu {
namespace {

class GpuFlushing : public test::GpuTest {
protected:
    // Whether device and CPU make the same of rows of this magnitude.
    bool agree(QuantEngine& engine, const QuantKernel& kernel, bool weighted, double magnitude) {
        constexpr std::size_t columns = 512, rows = 4;
        std::mt19937 random(11);
        std::normal_distribution<double> bell;
        std::vector<float> values(columns * rows);
        for (float& value : values) value = static_cast<float>(bell(random) * magnitude);
        const auto weights = weighted ? std::span<const float>(selfTestWeights()) : std::span<const float>();
        std::vector<std::byte> truth(*rowBytes(kernel.dtype, columns) * rows), ours(truth.size());
        EXPECT_TRUE(quant::makeCpuBackend()->quantize(kernel.dtype, {values, columns, weights}, truth));
        EXPECT_TRUE(engine.run(kernel, {values, columns, weights}, ours));
        return ours == truth;
    }

    // The magnitudes of values at which they differ.
    std::vector<double> differing(QuantEngine& engine, const QuantKernel& kernel) {
        std::vector<double> found;
        for (double magnitude = 0.2; magnitude > 1e-44; magnitude /= 4.7) {
            const bool plain =
                quant::weightUse(kernel.dtype) == quant::WeightUse::Required || agree(engine, kernel, false, magnitude);
            if (!plain || (kernel.weighted && !agree(engine, kernel, true, magnitude))) found.push_back(magnitude);
        }
        return found;
    }
};

// Else a job would write other bytes without a word.
TEST_F(GpuFlushing, IsNoticedInEveryTypeThatItChanges) {
    QuantEngine engine(device);
    std::size_t changed = 0;
    for (const Dtype dtype : {Dtype::Q4_0, Dtype::Q8_0, Dtype::Q3_K, Dtype::Q4_K, Dtype::Q6_K, Dtype::IQ4_XS, Dtype::IQ2_XS,
                              Dtype::IQ3_XXS, Dtype::IQ1_M, Dtype::MXFP4, Dtype::TQ1_0}) {
        const QuantKernel& kernel = *findQuantKernel(dtype);
        const auto magnitudes = differing(engine, kernel);
        if (magnitudes.empty()) continue;
        ++changed;
        EXPECT_FALSE(testKernel(engine, kernel)) << name(dtype) << " differs at " << magnitudes.front();
    }
    EXPECT_GT(changed, 5u) << "the device does not flush";
}

// The job gets the CPU's bytes, and the user is told.
TEST_F(GpuFlushing, LeavesTheTypeToTheCpu) {
    const auto quantizer = compute::makeQuantizer(test::chosen(device), 0);
    const std::vector<float> values(1024, 1e-40F);
    std::vector<std::byte> truth(*rowBytes(Dtype::Q4_0, values.size())), ours(truth.size());
    ASSERT_TRUE(quant::makeCpuBackend()->quantize(Dtype::Q4_0, {values, values.size(), {}}, truth));
    ASSERT_TRUE(quantizer->quantize(Dtype::Q4_0, {values, values.size(), {}}, ours));
    EXPECT_EQ(ours, truth);
    ASSERT_EQ(quantizer->remarks().size(), 1u);
    EXPECT_STREQ(quantizer->remarks().front().code.id(), "device.wrong_bytes");
    EXPECT_NE(quantizer->remarks().front().message().find("Q4_0"), std::string::npos);
}

} // namespace
} // namespace wb::gpu
