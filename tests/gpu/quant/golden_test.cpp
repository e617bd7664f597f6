// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"
#include "gpu/quant/engine.h"
#include "gpu/quant/quantizer_self_test.h"
#include "tests/gpu/support/gpu.h"
#include "tests/gpu/support/quant_types.h"
#include "tests/unit/support/support.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace wb::gpu {
namespace {

constexpr std::size_t columns = 1024;

std::string fileName(Dtype dtype) {
    std::string text = name(dtype);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (text.ends_with("_k")) text.back() = 'K';
    return text;
}

class GpuGolden : public test::GpuTest, public testing::WithParamInterface<Dtype> {
protected:
    void expectGolden(const std::filesystem::path& expected, std::span<const float> weights) {
        expectBytes(GetParam(), test::shared() / "golden/quant/input.f32", expected, weights);
    }

    void expectBytes(Dtype dtype, const std::filesystem::path& values, const std::filesystem::path& expected,
                     std::span<const float> weights) {
        const auto input = test::readFloats(values);
        const auto golden = test::readFile(expected);
        QuantEngine engine(device);
        std::vector<std::byte> ours(golden.size());
        const auto done = engine.run(*findQuantKernel(dtype), {input, columns, weights}, ours);
        ASSERT_TRUE(done) << done.error().message();
        const auto wrong = std::ranges::mismatch(ours, golden).in1;
        const std::size_t block = info(dtype).blockBytes, at = static_cast<std::size_t>(wrong - ours.begin());
        EXPECT_EQ(at, ours.size()) << "row " << at / *rowBytes(dtype, columns) << ", block " << at / block << ", byte "
                                   << at % block;
    }
};

class GpuSparse : public GpuGolden {};

// Scale codes of fits below zero wrap, and Q5_K alone cuts them.
TEST_P(GpuSparse, WeightedRowsHaveTheReferencesBytes) {
    const auto folder = test::data() / "quant/sparse";
    expectBytes(GetParam(), folder / "input.f32", folder / (fileName(GetParam()) + ".bin"),
                test::readFloats(folder / "weights.f32"));
}

INSTANTIATE_TEST_SUITE_P(Types, GpuSparse, testing::Values(Dtype::Q2_K, Dtype::Q4_K, Dtype::Q5_K, Dtype::Q4_0),
                         [](const auto& type) { return std::string(name(type.param)); });

class GpuOverflow : public test::GpuTest {};

TEST_P(GpuGolden, PlainRowsHaveTheReferencesBytes) {
    WB_NEED_SHARED("golden/quant/input.f32");
    if (quant::weightUse(GetParam()) == quant::WeightUse::Required) return;
    expectGolden(test::shared() / "golden/quant" / (fileName(GetParam()) + ".bin"), {});
}

TEST_P(GpuGolden, WeightedRowsHaveTheReferencesBytes) {
    WB_NEED_SHARED("golden/quant/imatrix.f32");
    const auto weights = test::readFloats(test::shared() / "golden/quant/imatrix.f32");
    expectGolden(test::shared() / "golden/quant" / (fileName(GetParam()) + ".imatrix.bin"), weights);
}

TEST_P(GpuGolden, PassesTheSelfTest) {
    QuantEngine engine(device);
    const auto outcome = testKernel(engine, *findQuantKernel(GetParam()));
    EXPECT_TRUE(outcome) << outcome.error().message();
}

// As on the CPU (Quantize.refusesSumsBeyondF32): a run refuses what does not decode to numbers, where zeros would go unnoticed.
TEST_F(GpuOverflow, LeavesNoNumberInABlock) {
    std::vector<float> row(columns), decoded(columns);
    for (std::size_t i = 0; i < columns; ++i) row[i] = (static_cast<float>(i % 7) - 3) * 1e21f;
    std::vector<std::byte> packed(*rowBytes(Dtype::IQ3_S, columns));
    QuantEngine engine(device);
    ASSERT_TRUE(engine.run(*findQuantKernel(Dtype::IQ3_S), {row, columns, {}}, packed));
    decode(Dtype::IQ3_S, packed, decoded);
    for (std::size_t block = 0; block < columns; block += 256) EXPECT_FALSE(std::isfinite(decoded[block])) << block;
}

INSTANTIATE_TEST_SUITE_P(Types, GpuGolden, testing::ValuesIn(test::quantTypes()),
                         [](const auto& type) { return std::string(name(type.param)); });

} // namespace
} // namespace wb::gpu
