// SPDX-License-Identifier: MIT
#include "core/quant/quantize.h"
#include "tests/unit/support/simd_targets.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace wb::quant {
namespace {

constexpr std::size_t rowLength = 1024;

// "Q4_K" → "q4_K", "IQ2_XXS" → "iq2_xxs": the names of the golden files keep a capital K.
std::string fileName(Dtype dtype) {
    std::string text = name(dtype);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (text.ends_with("_k")) text.back() = 'K';
    return text;
}

using Quantizer = void (*)(Dtype, std::span<const float>, std::span<const float>, std::span<std::byte>);

std::vector<std::byte> quantizeRows(Quantizer quantize, Dtype dtype, const std::vector<float>& input,
                                    std::span<const float> weights) {
    const std::size_t stride = *rowBytes(dtype, rowLength);
    const std::size_t rows = input.size() / rowLength;
    std::vector<std::byte> out(rows * stride);
    for (std::size_t r = 0; r < rows; ++r)
        quantize(dtype, std::span(input).subspan(r * rowLength, rowLength), weights, std::span(out).subspan(r * stride, stride));
    return out;
}

void expectEqualRows(Dtype dtype, const std::vector<std::byte>& ours, const std::vector<std::byte>& golden) {
    ASSERT_EQ(ours.size(), golden.size());
    const std::size_t stride = *rowBytes(dtype, rowLength);
    const std::size_t block = info(dtype).blockBytes;
    for (std::size_t r = 0; r < ours.size() / stride; ++r)
        for (std::size_t i = r * stride; i < (r + 1) * stride; ++i)
            if (ours[i] != golden[i]) {
                ADD_FAILURE() << name(dtype) << " row " << r << " block " << (i - r * stride) / block << " byte "
                              << (i - r * stride) % block << ": " << std::to_integer<int>(ours[i]) << " instead of "
                              << std::to_integer<int>(golden[i]);
                break;
            }
}

// The readable form and every SIMD form against a file of packed rows.
void expectGolden(Dtype dtype, const std::filesystem::path& values, const std::vector<float>& weights,
                  const std::filesystem::path& packed) {
    const auto input = test::readFloats(values);
    const auto golden = test::readFile(packed);
    expectEqualRows(dtype, quantizeRows(scalar::quantizeRow, dtype, input, weights), golden);
    test::forEachSimdTarget([&] { expectEqualRows(dtype, quantizeRows(quantizeRow, dtype, input, weights), golden); });
}

class Golden : public testing::TestWithParam<Dtype> {};

TEST_P(Golden, Plain) {
    WB_NEED_SHARED("golden/quant/input.f32");
    if (weightUse(GetParam()) == WeightUse::Required) return; // has no plain form, and the set holds none
    const auto folder = test::shared() / "golden/quant";
    expectGolden(GetParam(), folder / "input.f32", {}, folder / (fileName(GetParam()) + ".bin"));
}

TEST_P(Golden, Weighted) {
    WB_NEED_SHARED("golden/quant/input.f32");
    const auto folder = test::shared() / "golden/quant";
    expectGolden(GetParam(), folder / "input.f32", test::readFloats(folder / "imatrix.f32"),
                 folder / (fileName(GetParam()) + ".imatrix.bin"));
}

// Importance data of columns that a model hardly uses.
class SparseGolden : public testing::TestWithParam<Dtype> {};

TEST_P(SparseGolden, Weighted) {
    const auto folder = test::data() / "quant/sparse";
    expectGolden(GetParam(), folder / "input.f32", test::readFloats(folder / "weights.f32"),
                 folder / (fileName(GetParam()) + ".bin"));
}

INSTANTIATE_TEST_SUITE_P(SomeTypes, SparseGolden,
                         testing::Values(Dtype::Q4_0, Dtype::Q4_1, Dtype::Q5_0, Dtype::Q5_1, Dtype::Q2_K, Dtype::Q3_K, Dtype::Q4_K,
                                         Dtype::Q5_K, Dtype::Q6_K, Dtype::IQ4_NL, Dtype::IQ4_XS),
                         [](const auto& type) { return std::string(name(type.param)); });

std::vector<Dtype> targets() {
    std::vector<Dtype> out;
    for (const DtypeInfo& type : allDtypes())
        if (canQuantize(type.dtype) && type.dtype != Dtype::F32) out.push_back(type.dtype);
    return out;
}

INSTANTIATE_TEST_SUITE_P(AllTypes, Golden, testing::ValuesIn(targets()),
                         [](const auto& type) { return std::string(name(type.param)); });

} // namespace
} // namespace wb::quant
