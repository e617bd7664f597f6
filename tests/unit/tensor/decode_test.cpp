// SPDX-License-Identifier: MIT
#include "core/tensor/decode.h"

#include "tests/unit/support/simd_targets.h"
#include "tests/unit/tensor/bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace wb {
namespace {

using test::bits;
using testing::ContainerEq;
using testing::ElementsAre;

std::vector<std::byte> valuesBytes(std::initializer_list<unsigned> values) {
    std::vector<std::byte> bytes;
    for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

std::vector<float> decoded(Dtype dtype, std::span<const std::byte> bytes) {
    std::vector<float> out(bytes.size() / info(dtype).blockBytes * info(dtype).blockElements);
    scalar::decode(dtype, bytes, out);
    return out;
}

template <class T>
std::vector<float> decodedNumbers(Dtype dtype, std::vector<T> numbers) {
    return decoded(dtype, std::as_bytes(std::span(numbers)));
}

// The fast form must equal the reference, on bytes and floats at any address.
void expectTwins(Dtype dtype, std::span<const std::byte> stored) {
    const auto expected = decoded(dtype, stored);
    for (const std::size_t shift : {0u, 1u}) {
        std::vector<std::byte> bytes(shift);
        bytes.insert(bytes.end(), stored.begin(), stored.end());
        std::vector<float> out(expected.size() + shift + 1, 1234.5F);
        decode(dtype, std::span(bytes).subspan(shift), std::span(out).subspan(shift, expected.size()));
        ASSERT_EQ(out.back(), 1234.5F) << "wrote behind the end";
        EXPECT_THAT(bits(std::span(out).subspan(shift, expected.size())), ContainerEq(bits(expected)));
    }
}

class DecodeTwins : public testing::TestWithParam<DtypeInfo> {};

TEST_P(DecodeTwins, AgreeOnRandomBytes) { // infinite and NaN scales among them
    const DtypeInfo type = GetParam();
    std::mt19937 random(7);
    for (const std::size_t blocks : {0u, 1u, 2u, 7u, 31u, 33u, 127u}) {
        std::vector<std::byte> bytes(blocks * type.blockBytes);
        std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random()); });
        test::forEachSimdTarget([&] { expectTwins(type.dtype, bytes); });
    }
}

TEST_P(DecodeTwins, AgreeOnUniformBytes) { // all zeros, all ones, and codes that repeat
    const DtypeInfo type = GetParam();
    for (unsigned value = 0; value < 256; value += 5) {
        const std::vector<std::byte> bytes(std::size_t{7} * type.blockBytes, static_cast<std::byte>(value));
        test::forEachSimdTarget([&] { expectTwins(type.dtype, bytes); });
    }
}

TEST_P(DecodeTwins, AgreeWithSmallScales) { // subnormal scales of either sign
    const DtypeInfo type = GetParam();
    std::mt19937 random(11);
    std::vector<std::byte> bytes(std::size_t{64} * type.blockBytes);
    std::ranges::generate(bytes, [&] { return static_cast<std::byte>(random() & 0x83); });
    test::forEachSimdTarget([&] { expectTwins(type.dtype, bytes); });
}

std::vector<DtypeInfo> decodable() {
    std::vector<DtypeInfo> types;
    std::ranges::copy_if(allDtypes(), std::back_inserter(types), canDecode, &DtypeInfo::dtype);
    return types;
}

INSTANTIATE_TEST_SUITE_P(Types, DecodeTwins, testing::ValuesIn(decodable()), [](const auto& type) { return type.param.name; });

TEST(CanDecode, EverythingButComplexAndUnknown) {
    for (const DtypeInfo& type : allDtypes()) EXPECT_EQ(canDecode(type.dtype), type.kind != DtypeKind::Complex) << type.name;
    EXPECT_FALSE(canDecode(Dtype::Unknown));
}

TEST(DecodePlain, IntegersRoundToNearestEven) {
    EXPECT_THAT(decodedNumbers<std::int32_t>(Dtype::I32, {-5, 16777217, 16777219}), ElementsAre(-5.0F, 16777216.0F, 16777220.0F));
    EXPECT_THAT(decodedNumbers<std::int64_t>(Dtype::I64, {std::numeric_limits<std::int64_t>::min()}), ElementsAre(-0x1p63F));
    EXPECT_THAT(decodedNumbers<std::uint64_t>(Dtype::U64, {~std::uint64_t{0}, 1}), ElementsAre(0x1p64F, 1.0F));
    EXPECT_THAT(decodedNumbers<std::uint32_t>(Dtype::U32, {~std::uint32_t{0}}), ElementsAre(0x1p32F));
    EXPECT_THAT(decodedNumbers<std::int16_t>(Dtype::I16, {-32768, 3}), ElementsAre(-32768.0F, 3.0F));
    EXPECT_THAT(decodedNumbers<std::uint16_t>(Dtype::U16, {65535}), ElementsAre(65535.0F));
    EXPECT_THAT(decoded(Dtype::I8, valuesBytes({0x80, 0x7F})), ElementsAre(-128.0F, 127.0F));
    EXPECT_THAT(decoded(Dtype::U8, valuesBytes({0x80})), ElementsAre(128.0F));
    EXPECT_THAT(decoded(Dtype::Bool, valuesBytes({0, 1, 7})), ElementsAre(0.0F, 1.0F, 7.0F)) << "strange bytes stay visible";
}

TEST(DecodePlain, DoublesRoundToNearestEven) {
    EXPECT_THAT(decodedNumbers<double>(Dtype::F64, {1.0 + 0x1p-24, 1.0 + 0x1.8p-23, 1e300}),
                ElementsAre(1.0F, 1.0F + 0x1p-22F, std::numeric_limits<float>::infinity()));
}

TEST(DecodePlain, FloatsKeepSignallingNans) {
    const std::vector<std::uint32_t> stored = {0x7F800001u, 0x80000001u, 0xFFFFFFFFu};
    EXPECT_EQ(bits(decodedNumbers(Dtype::F32, stored)), stored);
}

TEST(DecodeSmall, FourBitsLowNibbleFirst) {
    EXPECT_THAT(decoded(Dtype::F4, valuesBytes({0x21, 0xF7})), ElementsAre(0.5F, 1.0F, 6.0F, -6.0F));
    EXPECT_THAT(bits(decoded(Dtype::F4, valuesBytes({0x80}))), ElementsAre(0u, 0x80000000u));
    EXPECT_THAT(decoded(Dtype::I4, valuesBytes({0x07, 0x08, 0x0F, 0xFE})), ElementsAre(7.0F, -8.0F, -1.0F, -2.0F));
    EXPECT_THAT(decoded(Dtype::U4, valuesBytes({0x07, 0x08, 0x0F, 0xFE})), ElementsAre(7.0F, 8.0F, 15.0F, 14.0F));
    EXPECT_THAT(decoded(Dtype::I2, valuesBytes({0x01, 0x02, 0x03, 0xFC})), ElementsAre(1.0F, -2.0F, -1.0F, 0.0F));
    EXPECT_THAT(decoded(Dtype::U2, valuesBytes({0x01, 0x02, 0x03, 0xFC})), ElementsAre(1.0F, 2.0F, 3.0F, 0.0F));
}

TEST(DecodeSmall, SixBitsLowBitsFirst) {
    // Codes 1, 2, 3, 63 (low first): 000001 | 000010 << 6 | 000011 << 12 | 111111 << 18.
    const auto packed = valuesBytes({0x81, 0x30, 0xFC});
    EXPECT_THAT(decoded(Dtype::F6_E2M3, packed), ElementsAre(0.125F, 0.25F, 0.375F, -7.5F));
    EXPECT_THAT(decoded(Dtype::F6_E3M2, packed), ElementsAre(0.0625F, 0.125F, 0.1875F, -28.0F));
}

// The first values of one block that starts with `head` and goes on with bytes of 1.
std::vector<float> startOfBlock(Dtype dtype, std::initializer_list<unsigned> head, std::size_t count) {
    std::vector<std::byte> block(info(dtype).blockBytes, std::byte{1});
    std::ranges::copy(valuesBytes(head), block.begin());
    auto values = decoded(dtype, block);
    values.resize(count);
    return values;
}

// The types that have no reference file, because they never lie in one.
TEST(DecodeBlocks, ActivationTypesIgnoreTheirSums) {
    EXPECT_THAT(startOfBlock(Dtype::Q8_1, {0, 0x40, 0xFF, 0xFF, 3, 0x80}, 3), ElementsAre(6.0F, -256.0F, 2.0F)); // the sum is NaN
    EXPECT_THAT(startOfBlock(Dtype::Q8_K, {0, 0, 0, 0x40, 5, 0xFE}, 3), ElementsAre(10.0F, -4.0F, 2.0F));
}

TEST(DecodeBlocks, NansHaveOneForm) {
    EXPECT_THAT(bits(startOfBlock(Dtype::Q8_0, {0x01, 0x7D}, 32)), testing::Each(0xFFC00000u)) << "a signalling NaN as scale";
    EXPECT_THAT(bits(startOfBlock(Dtype::Q8_0, {0x00, 0x7C, 0}, 2)), ElementsAre(0xFFC00000u, 0x7F800000u))
        << "infinity times 0, 1";
}

} // namespace
} // namespace wb
