// SPDX-License-Identifier: MIT
#include "core/model/tensor_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace wb {
namespace {

std::vector<std::byte> counting(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
    return bytes;
}

// Where each byte of one swapped block came from, written as runs "first byte, width, how many in a row".
struct Fields {
    std::size_t first;
    std::size_t width;
    std::size_t count;
};

std::vector<std::byte> expected(std::size_t blockBytes, const std::vector<Fields>& runs) {
    std::vector<std::byte> bytes = counting(blockBytes);
    const std::vector<std::byte> original = bytes;
    for (const Fields& run : runs)
        for (std::size_t i = 0; i < run.count * run.width; ++i)
            bytes[run.first + i] = original[run.first + i / run.width * run.width + (run.width - 1 - i % run.width)];
    return bytes;
}

// Written from docs/reference/gguf.md, "Byte layouts", by hand and apart from the table under test.
const std::map<Dtype, std::vector<Fields>> expectedRuns = {
    {Dtype::F64, {{0, 8, 1}}},
    {Dtype::F32, {{0, 4, 1}}},
    {Dtype::F16, {{0, 2, 1}}},
    {Dtype::BF16, {{0, 2, 1}}},
    {Dtype::I64, {{0, 8, 1}}},
    {Dtype::I32, {{0, 4, 1}}},
    {Dtype::I16, {{0, 2, 1}}},
    {Dtype::U64, {{0, 8, 1}}},
    {Dtype::U32, {{0, 4, 1}}},
    {Dtype::U16, {{0, 2, 1}}},
    {Dtype::C32, {{0, 2, 2}}},
    {Dtype::C64, {{0, 4, 2}}},
    {Dtype::C128, {{0, 8, 2}}},
    {Dtype::Q4_0, {{0, 2, 1}}},
    {Dtype::Q4_1, {{0, 2, 1}, {2, 2, 1}}},
    {Dtype::Q5_0, {{0, 2, 1}, {2, 4, 1}}},
    {Dtype::Q5_1, {{0, 2, 1}, {2, 2, 1}, {4, 4, 1}}},
    {Dtype::Q8_0, {{0, 2, 1}}},
    {Dtype::Q8_1, {{0, 2, 2}}},
    {Dtype::Q1_0, {{0, 2, 1}}},
    {Dtype::Q2_0, {{0, 2, 1}}},
    {Dtype::Q2_K, {{80, 2, 1}, {82, 2, 1}}},
    {Dtype::Q3_K, {{108, 2, 1}}},
    {Dtype::Q4_K, {{0, 2, 1}, {2, 2, 1}}},
    {Dtype::Q5_K, {{0, 2, 1}, {2, 2, 1}}},
    {Dtype::Q6_K, {{208, 2, 1}}},
    {Dtype::Q8_K, {{0, 4, 1}, {260, 2, 16}}},
    {Dtype::IQ1_S, {{0, 2, 1}, {34, 2, 8}}},
    {Dtype::IQ1_M, {{48, 2, 4}}},
    {Dtype::IQ2_XXS, {{0, 2, 1}, {6, 4, 1}, {14, 4, 1}, {22, 4, 1}, {30, 4, 1}, {38, 4, 1}, {46, 4, 1}, {54, 4, 1}, {62, 4, 1}}},
    {Dtype::IQ2_XS, {{0, 2, 1}, {2, 2, 32}}},
    {Dtype::IQ2_S, {{0, 2, 1}}},
    {Dtype::IQ3_XXS, {{0, 2, 1}, {66, 4, 8}}},
    {Dtype::IQ3_S, {{0, 2, 1}}},
    {Dtype::IQ4_NL, {{0, 2, 1}}},
    {Dtype::IQ4_XS, {{0, 2, 1}, {2, 2, 1}}},
    {Dtype::TQ1_0, {{52, 2, 1}}},
    {Dtype::TQ2_0, {{64, 2, 1}}},
};

TEST(SwapBlockBytes, ReversesExactlyTheWideFieldsOfEveryType) {
    for (const DtypeInfo& type : allDtypes()) {
        const auto found = expectedRuns.find(type.dtype);
        auto bytes = counting(type.blockBytes);
        swapBlockBytes(type.dtype, bytes);
        EXPECT_EQ(bytes, expected(type.blockBytes, found == expectedRuns.end() ? std::vector<Fields>{} : found->second))
            << type.name;
    }
}

TEST(SwapBlockBytes, TreatsEveryBlockAlikeAndUndoesItself) {
    for (const DtypeInfo& type : allDtypes()) {
        const std::size_t size = type.blockBytes;
        auto bytes = counting(3 * size);
        const auto original = bytes;
        std::vector<std::byte> third(original.end() - static_cast<std::ptrdiff_t>(size), original.end());
        swapBlockBytes(type.dtype, bytes);
        swapBlockBytes(type.dtype, third);
        EXPECT_TRUE(std::equal(third.begin(), third.end(), bytes.end() - static_cast<std::ptrdiff_t>(size))) << type.name;
        swapBlockBytes(type.dtype, bytes);
        EXPECT_EQ(bytes, original) << type.name;
    }
}

TEST(SwapBlockBytes, LeavesUnknownTypesAndNothingAlone) {
    auto bytes = counting(16);
    swapBlockBytes(Dtype::Unknown, bytes);
    EXPECT_EQ(bytes, counting(16));
    swapBlockBytes(Dtype::F32, {});
}

} // namespace
} // namespace wb
