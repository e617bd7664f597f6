// SPDX-License-Identifier: MIT
#include "gpu/compute/quantizer.h"
#include "gpu/quant/quantizer_self_test.h"
#include "gpu/quant/self_test_rows.h"
#include "tests/gpu/support/chosen.h"
#include "tests/gpu/support/gpu.h"
#include "tests/gpu/support/quant_types.h"

#include <algorithm>
#include <cmath>
#include <random>

// A device that flushes subnormal numbers, which Vulkan allows: preload/flush_subnormals.cpp makes software Vulkan one. The blocks
// that it may get wrong are marked and done again; all others are the CPU's.
namespace wb::gpu {
namespace {

constexpr std::size_t columns = 512;

// Rows of one magnitude each, from the least number to the largest.
std::vector<float> everyMagnitude() {
    std::mt19937 random(11);
    std::normal_distribution<double> bell;
    std::vector<float> values;
    for (double magnitude = 1e-45; magnitude < 2e38; magnitude *= std::sqrt(10.0))
        for (std::size_t i = 0; i < columns; ++i) {
            const double value = std::clamp(bell(random) * magnitude, -3.4e38, 3.4e38);
            values.push_back(i % 61 == 7 ? 0.0F : static_cast<float>(value));
        }
    return values;
}

// Blocks in which magnitudes differ by up to 40 decades: a few small numbers among ordinary ones, and all at random.
std::vector<float> mixedMagnitudes() {
    std::mt19937 random(12);
    std::normal_distribution<double> bell;
    std::uniform_real_distribution<double> decades(-40, 0);
    std::vector<float> values;
    for (std::size_t row = 0; row < 24; ++row)
        for (std::size_t i = 0; i < columns; ++i) {
            const bool isSmall = row % 3 == 0 || random() % (row % 3 == 1 ? 16 : 64) == 0;
            values.push_back(static_cast<float>(bell(random) * std::pow(10.0, isSmall ? decades(random) : -1.5)));
        }
    return values;
}

// Rows as models have them: bell-shaped, of several widths.
std::vector<float> ordinaryValues() {
    std::mt19937 random(13);
    std::normal_distribution<double> bell;
    std::vector<float> values;
    for (const double width : {0.3, 0.02, 0.004})
        for (std::size_t i = 0; i < 8 * columns; ++i) {
            const double value = std::round(bell(random) * width * 1048576) / 1048576; // nothing nearer to zero than f16 has
            values.push_back(static_cast<float>(value));
        }
    return values;
}

class GpuFlushing : public test::GpuTest, public testing::WithParamInterface<Dtype> {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (!device) return;
        const auto keeps = device->keepsSubnormals();
        ASSERT_TRUE(keeps) << keeps.error().message();
        if (*keeps && !device->info().software()) GTEST_SKIP() << device->info().name << " keeps subnormal numbers";
        ASSERT_FALSE(*keeps) << "the device does not flush";
        m_engine = std::make_unique<QuantEngine>(device);
    }
    void TearDown() override {
        m_engine.reset();
        GpuTest::TearDown();
    }

    struct Outcome {
        std::size_t blocks = 0, marked = 0, wrong = 0; // wrong: not marked, and not the CPU's
        bool sameInTheEnd = false;
        std::size_t firstWrong = 0;
    };

    Outcome quantize(const std::vector<float>& values, std::span<const float> weights) {
        const QuantKernel& kernel = *findQuantKernel(GetParam());
        const quant::Rows rows{values, columns, weights};
        std::vector<std::byte> truth(*rowBytes(kernel.dtype, columns) * rows.count()), ours(truth.size());
        EXPECT_TRUE(quant::makeCpuBackend()->quantize(kernel.dtype, rows, truth));
        const auto marked = m_engine->runOnDevice(kernel, rows, ours);
        EXPECT_TRUE(marked) << marked.error().message();
        Outcome outcome;
        outcome.blocks = values.size() / info(kernel.dtype).blockElements;
        outcome.marked = marked->size();
        const std::size_t bytes = info(kernel.dtype).blockBytes;
        for (std::size_t block = outcome.blocks; block-- > 0;) {
            const auto at = static_cast<std::ptrdiff_t>(block * bytes);
            if (std::ranges::binary_search(*marked, block)) continue;
            if (std::equal(ours.begin() + at, ours.begin() + at + static_cast<std::ptrdiff_t>(bytes), truth.begin() + at)) continue;
            ++outcome.wrong;
            outcome.firstWrong = block;
        }
        redoBlocks(kernel.dtype, *marked, rowSource(rows), ours);
        outcome.sameInTheEnd = ours == truth;
        return outcome;
    }

    void expectRight(const std::vector<float>& values, std::span<const float> weights, const char* what) {
        const Outcome outcome = quantize(values, weights);
        const std::size_t elements = info(GetParam()).blockElements;
        EXPECT_EQ(outcome.wrong, 0u) << name(GetParam()) << ' ' << what << ": block " << outcome.firstWrong << " of row "
                                     << outcome.firstWrong * elements / columns;
        EXPECT_TRUE(outcome.sameInTheEnd) << name(GetParam()) << ' ' << what;
        EXPECT_LT(outcome.marked, outcome.blocks) << what;
    }

    void expectRight(std::span<const float> weights, const char* what) {
        expectRight(everyMagnitude(), weights, what);
        expectRight(mixedMagnitudes(), weights, what);
        const Outcome ordinary = quantize(ordinaryValues(), weights);
        EXPECT_EQ(ordinary.marked, 0u) << name(GetParam()) << ' ' << what;
        EXPECT_TRUE(ordinary.sameInTheEnd) << name(GetParam()) << ' ' << what;
    }

    std::unique_ptr<QuantEngine> m_engine;
};

TEST_P(GpuFlushing, PlainBlocksAreMarkedOrRight) {
    if (quant::weightUse(GetParam()) == quant::WeightUse::Required) return;
    expectRight({}, "plain");
}

TEST_P(GpuFlushing, WeightedBlocksAreMarkedOrRight) {
    if (!findQuantKernel(GetParam())->weighted) return;
    expectRight(selfTestWeights(), "weighted");
}

TEST_P(GpuFlushing, WeightsOfEveryMagnitudeAreMarkedOrRight) {
    if (!findQuantKernel(GetParam())->weighted) return;
    std::mt19937 random(14);
    std::uniform_real_distribution<double> decades(-44, 10);
    std::vector<float> weights(columns);
    for (float& weight : weights) weight = static_cast<float>(std::pow(10.0, decades(random)));
    std::ranges::sort(weights); // so that blocks differ
    const Outcome outcome = quantize(ordinaryValues(), weights);
    EXPECT_EQ(outcome.wrong, 0u) << name(GetParam()) << ": block " << outcome.firstWrong;
    EXPECT_TRUE(outcome.sameInTheEnd) << name(GetParam());
}

// What the self-test asks of the first of its rows.
TEST_P(GpuFlushing, MarksNoOrdinaryRowOfTheSelfTest) {
    const std::vector<float> ordinary(selfTestRows().begin(), selfTestRows().begin() + ordinaryRows * columns);
    if (quant::weightUse(GetParam()) != quant::WeightUse::Required) {
        EXPECT_EQ(quantize(ordinary, {}).marked, 0u);
    }
    if (findQuantKernel(GetParam())->weighted) {
        EXPECT_EQ(quantize(ordinary, selfTestWeights()).marked, 0u);
    }
}

TEST_P(GpuFlushing, PassesTheSelfTest) {
    const auto outcome = testKernel(*m_engine, *findQuantKernel(GetParam()));
    EXPECT_TRUE(outcome) << outcome.error().message();
}

INSTANTIATE_TEST_SUITE_P(Types, GpuFlushing, testing::ValuesIn(test::quantTypes()),
                         [](const auto& type) { return std::string(name(type.param)); });

} // namespace
} // namespace wb::gpu
