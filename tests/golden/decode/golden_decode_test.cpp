// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"
#include "tests/unit/support/simd_targets.h"
#include "tests/unit/support/support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

// Every type with a reference decoder, against what that decoder made of the same bytes.
namespace wb {
namespace {

class GoldenDecode : public testing::TestWithParam<const char*> {};

using Decode = void (*)(Dtype, std::span<const std::byte>, std::span<float>);

std::vector<std::uint32_t> bits(std::span<const float> values) {
    std::vector<std::uint32_t> out(values.size());
    std::memcpy(out.data(), values.data(), values.size_bytes());
    return out;
}

void expectDecodes(const std::filesystem::path& packed, const std::filesystem::path& expected, Decode decode) {
    const Dtype dtype = *dtypeFromName(testing::TestWithParam<const char*>::GetParam());
    const auto bytes = test::readFile(packed);
    const auto reference = test::readFloats(expected);
    ASSERT_EQ(rowBytes(dtype, reference.size()), bytes.size());
    std::vector<float> decoded(reference.size());
    decode(dtype, bytes, decoded);
    EXPECT_THAT(bits(decoded), testing::ContainerEq(bits(reference)));
}

void expectDecodesInEveryForm(const std::filesystem::path& packed, const std::filesystem::path& expected) {
    expectDecodes(packed, expected, scalar::decode);
    test::forEachSimdTarget([&] { expectDecodes(packed, expected, decode); });
}

TEST_P(GoldenDecode, FourRowsOfTheRepository) {
    const auto folder = test::data() / "quant";
    const std::string type = GetParam();
    expectDecodesInEveryForm(folder / (type + ".bin"), folder / (type + ".f32"));
}

TEST_P(GoldenDecode, AllRowsOfTheReference) {
    WB_NEED_SHARED("golden/quant");
    const auto folder = test::shared() / "golden/quant";
    const std::string type = GetParam();
    const auto plain = folder / (type + ".bin"); // three types exist only in the form that was made with weights
    const auto packed = std::filesystem::exists(plain) ? plain : folder / (type + ".imatrix.bin");
    expectDecodesInEveryForm(packed, folder / (type + ".dequant.f32"));
}

INSTANTIATE_TEST_SUITE_P(Types, GoldenDecode,
                         testing::Values("f16", "bf16", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q2_K", "q3_K", "q4_K", "q5_K",
                                         "q6_K", "iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s", "iq4_nl",
                                         "iq4_xs", "tq1_0", "tq2_0", "mxfp4", "nvfp4", "q1_0", "q2_0"),
                         [](const auto& type) { return std::string(type.param); });

} // namespace
} // namespace wb
