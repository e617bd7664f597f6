// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"
#include "gpu/compute/quantizer.h"
#include "gpu/quant/quantizer_self_test.h"
#include "tests/gpu/faults/faults.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/unit/support/support.h"

#include <cmath>
#include <limits>
#include <random>

// The whole way on the device: stored rows in, blocks and error sums out.
namespace wb::gpu {
namespace {

class GpuStored : public test::GpuTest {
protected:
    Result<std::optional<quant::ErrorSums>> run(Dtype to, Dtype from, std::uint64_t columns, std::span<const std::byte> stored,
                                                std::span<const float> weights = {}) {
        m_out.resize(*rowBytes(to, columns) * (stored.size() / *rowBytes(from, columns)));
        return m_quantizer->quantizeStored(to, {stored, from, columns, weights}, m_out);
    }

    void SetUp() override {
        GpuTest::SetUp();
        if (device) m_quantizer = compute::makeQuantizer(test::chosen(device), 0);
    }
    void TearDown() override {
        m_quantizer.reset();
        GpuTest::TearDown();
    }

    std::shared_ptr<quant::Backend> m_quantizer;
    std::vector<std::byte> m_out;
};

std::vector<std::byte> valuesBytes(std::span<const float> values) {
    const auto bytes = std::as_bytes(values);
    return {bytes.begin(), bytes.end()};
}

TEST_F(GpuStored, EverySourceTypeGivesTheCpusBytesAndSums) {
    QuantEngine engine(device);
    for (const Dtype from : {Dtype::F32, Dtype::F16, Dtype::BF16, Dtype::Q8_0, Dtype::Q4_1, Dtype::Q6_K, Dtype::IQ2_XS}) {
        for (const Dtype to : {Dtype::F16, Dtype::Q8_0, Dtype::Q4_K}) {
            const auto outcome = testStored(engine, *findQuantKernel(to), from);
            EXPECT_TRUE(outcome) << name(from) << " to " << name(to) << ": " << outcome.error().message();
        }
    }
}

TEST_F(GpuStored, RowsBeyondATileAndWeightsAreRight) {
    std::mt19937 random(7);
    constexpr std::uint64_t columns = 768, rows = 37; // no whole number of tiles
    std::vector<float> values(columns * rows), weights(columns), decoded(values.size());
    for (float& value : values) value = std::normal_distribution<float>(0, 0.03F)(random);
    for (float& weight : weights) weight = std::uniform_real_distribution<float>(0.1F, 4)(random);
    const auto sums = run(Dtype::Q4_K, Dtype::F32, columns, valuesBytes(values), weights);
    ASSERT_TRUE(sums && *sums);
    std::vector<std::byte> truth(m_out.size());
    ASSERT_TRUE(quant::makeCpuBackend()->quantize(Dtype::Q4_K, {values, columns, weights}, truth));
    EXPECT_EQ(m_out, truth);
    decode(Dtype::Q4_K, truth, decoded);
    double e2 = 0;
    for (std::size_t i = 0; i < values.size(); ++i) e2 += (double{decoded[i]} - values[i]) * (double{decoded[i]} - values[i]);
    EXPECT_NEAR((*sums)->e2, e2, 1e-9 * e2);
    EXPECT_TRUE(m_quantizer->remarks().empty());
}

TEST_F(GpuStored, ValuesThatAreNotFiniteShowInTheSums) {
    std::vector<float> values(1024, 0.5F);
    values[777] = std::numeric_limits<float>::quiet_NaN();
    const auto sums = run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values));
    ASSERT_TRUE(sums && *sums);
    EXPECT_FALSE(std::isfinite((*sums)->w2));
    values[777] = 1e30F; // beyond f16
    const auto large = run(Dtype::F16, Dtype::F32, 1024, valuesBytes(values));
    ASSERT_TRUE(large && *large);
    EXPECT_TRUE(std::isfinite((*large)->w2));
    EXPECT_FALSE(std::isfinite((*large)->v2));
}

// The mean of each row is made on the device, too.
TEST_F(GpuStored, RowsWithMeansAreRight) {
    std::mt19937 random(8);
    constexpr std::uint64_t columns = 4096 + 32, rows = 131;
    std::vector<float> values(columns * rows), weights(columns);
    for (float& value : values) value = std::normal_distribution<float>(0, 0.03F)(random);
    for (float& weight : weights) weight = std::uniform_real_distribution<float>(0.1F, 4)(random);
    for (const Dtype to : {Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0, Dtype::Q5_1}) {
        const auto sums = run(to, Dtype::F32, columns, valuesBytes(values), weights);
        ASSERT_TRUE(sums && *sums);
        std::vector<std::byte> truth(m_out.size());
        ASSERT_TRUE(quant::makeCpuBackend()->quantize(to, {values, columns, weights}, truth));
        EXPECT_EQ(m_out, truth) << name(to);
    }
    EXPECT_TRUE(m_quantizer->remarks().empty());
}

TEST_F(GpuStored, ASmallJobDoesNotWaitForTheDevice) {
    const std::vector<float> values(1024, 0.5F);
    m_quantizer = compute::makeQuantizer(test::chosen(device, {}), 0);
    m_quantizer->expect(values.size());
    test::injectFault(*device, test::Fault::Lost, 0); // whoever uses it is told
    const auto stored = run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values));
    ASSERT_TRUE(stored);
    EXPECT_FALSE(*stored);
    EXPECT_TRUE(m_quantizer->quantize(Dtype::Q8_0, {values, 1024, {}}, m_out));
    EXPECT_TRUE(m_quantizer->remarks().empty());
}

// The executor found other bytes than the CPU's in what the device gave back.
TEST_F(GpuStored, ADistrustedTypeFallsBack) {
    const std::vector<float> values(1024, 0.5F);
    m_quantizer->distrust(Dtype::Q8_0);
    EXPECT_FALSE(*run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values)));
    EXPECT_TRUE(*run(Dtype::Q4_0, Dtype::F32, 1024, valuesBytes(values)));
    ASSERT_EQ(m_quantizer->remarks().size(), 1u);
    EXPECT_NE(m_quantizer->remarks().front().message().find("Q8_0"), std::string::npos);
}

// Another type may have been given up before: all others are lost now.
TEST_F(GpuStored, ALossIsReportedAlsoAfterATypeWasGivenUp) {
    const std::vector<float> values(1024, 0.5F);
    std::vector<std::byte> out(4096);
    ASSERT_TRUE(*run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values)));
    m_quantizer->distrust(Dtype::Q4_0);
    test::injectFault(*device, test::Fault::Lost, 0);
    EXPECT_FALSE(*run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values)));
    ASSERT_EQ(m_quantizer->remarks().size(), 2u);
    EXPECT_STREQ(m_quantizer->remarks().back().code.id(), "device.lost");
}

// A processor that takes no time at all.
class InstantCpu : public quant::Backend {
public:
    std::string name() const override { return "cpu"; }
    Result<void> quantize(Dtype, const quant::Rows&, std::span<std::byte>) override { return {}; }
};

TEST_F(GpuStored, ASlowerDeviceIsMeasuredAsSlower) {
    QuantEngine engine(device);
    InstantCpu cpu;
    compute::SpeedTable speeds;
    ASSERT_TRUE(compute::measureQuantizing(engine, *findQuantKernel(Dtype::Q8_0), false, cpu, 0, speeds));
    ASSERT_TRUE(speeds.find(compute::MeasuredTask::Quantizing, Dtype::Q8_0));
    EXPECT_EQ(speeds.next(compute::MeasuredTask::Quantizing, Dtype::Q8_0), compute::Worker::Processor);
}

TEST_F(GpuStored, ALostDeviceLeavesTheRestToTheCaller) {
    const std::vector<float> values(1024, 0.5F);
    ASSERT_TRUE(*run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values)));
    test::injectFault(*device, test::Fault::Lost, 0);
    const auto lost = run(Dtype::Q8_0, Dtype::F32, 1024, valuesBytes(values));
    ASSERT_TRUE(lost);
    EXPECT_FALSE(*lost);
    ASSERT_EQ(m_quantizer->remarks().size(), 1u);
    EXPECT_STREQ(m_quantizer->remarks().front().code.id(), "device.lost");
}

} // namespace
} // namespace wb::gpu
