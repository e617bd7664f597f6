// SPDX-License-Identifier: MIT
#include "core/tensor/subnormals.h"

#include "tests/unit/support/simd_targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace wb {
namespace {

template <class Code>
std::uint64_t count(Dtype dtype, std::initializer_list<Code> codes) {
    return scalar::countStoredSubnormals(dtype, std::as_bytes(std::span(codes.begin(), codes.size())));
}

TEST(Subnormals, LieBetweenZeroAndTheSmallestNormal) {
    EXPECT_EQ(count<std::uint64_t>(Dtype::F64, {0, 1, 0x800FFFFFFFFFFFFF, 0x0010000000000000, 0x7FF0000000000001}), 2u);
    EXPECT_EQ(count<std::uint32_t>(Dtype::F32, {0, 0x80000000, 1, 0x807FFFFF, 0x00800000, 0x7F800001}), 2u);
    EXPECT_EQ(count<std::uint16_t>(Dtype::F16, {0, 0x8000, 1, 0x83FF, 0x0400, 0x7C01}), 2u);
    EXPECT_EQ(count<std::uint16_t>(Dtype::BF16, {0, 0x8000, 1, 0x807F, 0x0080, 0x7F81}), 2u);
    EXPECT_EQ(count<std::uint8_t>(Dtype::F8_E4M3, {0, 0x80, 1, 0x87, 8, 0x7F}), 2u);
    EXPECT_EQ(count<std::uint8_t>(Dtype::F8_E5M2, {0, 0x80, 1, 0x83, 4, 0x7F}), 2u);
    EXPECT_EQ(count<std::uint8_t>(Dtype::F8_E4M3FNUZ, {0, 0x80, 1, 0x87, 8}), 2u);
    EXPECT_EQ(count<std::uint8_t>(Dtype::F8_E5M2FNUZ, {0, 0x80, 1, 0x83, 4}), 2u);
}

TEST(Subnormals, OfPackedTypes) {
    EXPECT_EQ(count<std::uint8_t>(Dtype::F4, {0x10, 0x92, 0x88}), 2u);
    // Codes 7, 32 + 7, 8, 0 of six bits: the first two are subnormal with three bits of mantissa, none with two.
    EXPECT_EQ(count<std::uint8_t>(Dtype::F6_E2M3, {0xC7, 0x89, 0x00}), 2u);
    EXPECT_EQ(count<std::uint8_t>(Dtype::F6_E3M2, {0xC7, 0x89, 0x00}), 0u);
}

TEST(Subnormals, AreNoConceptElsewhere) {
    EXPECT_EQ(count<std::uint8_t>(Dtype::F8_E8M0, {0, 1}), 0u);
    EXPECT_EQ(count<std::uint8_t>(Dtype::I8, {0, 1}), 0u);
    const std::vector<std::byte> block(info(Dtype::Q8_0).blockBytes, std::byte{1});
    EXPECT_EQ(countStoredSubnormals(Dtype::Q8_0, block), 0u);
}

TEST(Subnormals, FastFormCountsTheSame) {
    std::mt19937 random(3);
    for (const DtypeInfo& type : allDtypes())
        for (const std::size_t blocks : {0u, 1u, 63u, 1001u}) {
            std::vector<std::byte> bytes(blocks * type.blockBytes + 1);
            std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random() & random() & random()); });
            const auto stored = std::span<const std::byte>(bytes).subspan(1); // at an odd address
            const std::uint64_t expected = scalar::countStoredSubnormals(type.dtype, stored);
            test::forEachSimdTarget([&] { EXPECT_EQ(countStoredSubnormals(type.dtype, stored), expected) << type.name; });
        }
}

} // namespace
} // namespace wb
