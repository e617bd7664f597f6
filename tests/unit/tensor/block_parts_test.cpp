// SPDX-License-Identifier: MIT
#include "core/tensor/block_parts.h"
#include "core/tensor/decode.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>

namespace wb {
namespace {

bool same(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

// Every block put together again from its parts, against the reference decoder.
void expectExact(Dtype dtype, std::span<const std::byte> bytes) {
    const DtypeInfo& type = info(dtype);
    const BlockFacts facts = *blockFacts(dtype);
    const std::vector<float> levels = dtypeLevels(dtype);
    std::vector<float> decoded(type.blockElements);
    for (std::size_t at = 0; at < bytes.size(); at += type.blockBytes) {
        const auto block = bytes.subspan(at, type.blockBytes);
        scalar::decode(dtype, block, decoded);
        BlockParts parts;
        splitBlock(dtype, block.data(), parts);
        for (std::size_t e = 0; e < decoded.size(); ++e) {
            const std::size_t group = e / facts.groupElements;
            const float product = parts.scales[group] * parts.levels[e];
            ASSERT_TRUE(same(facts.hasMinimum ? product + parts.offsets[group] : product, decoded[e]))
                << type.name << " element " << e;
            ASSERT_LT(parts.codes[e / facts.codeElements], facts.codes);
            ASSERT_TRUE(std::ranges::binary_search(levels, parts.levels[e])) << type.name << " level " << parts.levels[e];
        }
    }
}

TEST(BlockParts, MakeTheDecodedValuesOfEveryType) {
    std::mt19937 random(1);
    int types = 0;
    for (const DtypeInfo& type : allDtypes()) {
        EXPECT_EQ(blockFacts(type.dtype).has_value(), type.kind == DtypeKind::Block) << type.name;
        if (type.kind != DtypeKind::Block) {
            EXPECT_TRUE(dtypeLevels(type.dtype).empty());
            continue;
        }
        ++types;
        std::vector<std::byte> bytes(std::size_t{type.blockBytes} * 200);
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
        expectExact(type.dtype, bytes);
        EXPECT_TRUE(std::ranges::is_sorted(dtypeLevels(type.dtype)));
    }
    EXPECT_EQ(types, 27);
}

TEST(BlockParts, MakeTheRowsOfTheReference) {
    for (const char* name : {"q4_0",   "q4_1",  "q5_0",  "q5_1",    "q8_0",   "q2_K",  "q3_K",    "q4_K",  "q5_K",
                             "q6_K",   "iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s", "iq4_nl",
                             "iq4_xs", "tq1_0", "tq2_0", "mxfp4",   "nvfp4",  "q1_0",  "q2_0"})
        expectExact(*dtypeFromName(name), test::readFile(test::data() / "quant" / (std::string(name) + ".bin")));
}

TEST(BlockParts, KnowsABlockByHand) {
    // Q4_1: scale 2 (0x4000), minimum -1 (0xBC00), codes 3 and 12 in the first byte.
    std::array<std::byte, 20> block{};
    block[1] = std::byte{0x40};
    block[3] = std::byte{0xBC};
    block[4] = std::byte{0xC3};
    BlockParts parts;
    splitBlock(Dtype::Q4_1, block.data(), parts);
    EXPECT_EQ(parts.scales[0], 2);
    EXPECT_EQ(parts.offsets[0], -1);
    EXPECT_EQ(parts.codes[0], 3);
    EXPECT_EQ(parts.codes[16], 12);
    EXPECT_EQ(dtypeLevels(Dtype::Q4_0).front(), -8);
    EXPECT_EQ(dtypeLevels(Dtype::MXFP4).size(), 15u); // both zeros are one
    EXPECT_EQ(dtypeLevels(Dtype::MXFP4).back(), 12);
}

} // namespace
} // namespace wb
