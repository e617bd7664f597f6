// SPDX-License-Identifier: MIT
#include "core/stats/codes.h"
#include "made_tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace wb::stats {
namespace {

// Two Q4_1 blocks: scale 2 and minimum -1 with codes 0 and 15 in turn; scale 0 with codes 3.
TensorReader twoBlocks() {
    std::vector<std::byte> bytes(40);
    bytes[1] = std::byte{0x40};
    bytes[3] = std::byte{0xBC};
    for (std::size_t i = 4; i < 20; ++i) bytes[i] = std::byte{0xF0};
    for (std::size_t i = 24; i < 40; ++i) bytes[i] = std::byte{0x33};
    return test::makeReader(Dtype::Q4_1, *Shape::make({1, 64}), bytes);
}

TEST(Codes, KnowsTwoBlocksByHand) {
    const TensorReader reader = twoBlocks();
    const auto stats = computeCodes(reader, 4, 1, {});
    ASSERT_TRUE(stats) << stats.error().message();
    EXPECT_EQ(stats->counts[0], 16u);
    EXPECT_EQ(stats->counts[15], 16u);
    EXPECT_EQ(stats->counts[3], 32u);
    EXPECT_DOUBLE_EQ(stats->entropy, 1.5);
    EXPECT_DOUBLE_EQ(stats->efficiency, 1.5 / 4);
    EXPECT_DOUBLE_EQ(stats->saturation, 0.5);
    EXPECT_EQ(stats->unused, 13u);
    EXPECT_DOUBLE_EQ(stats->bitsPerWeight, 5);
    EXPECT_EQ(stats->groups, 2u);
    EXPECT_EQ(stats->zeroScales, 1u);
    EXPECT_EQ(stats->scales.low, 0);
    EXPECT_EQ(stats->scales.high, 2);
    EXPECT_EQ(stats->scales.counts, (std::vector<std::uint64_t>{1, 0, 0, 1}));
    ASSERT_TRUE(stats->minimums);
    EXPECT_EQ(stats->minimums->low, -1);
    EXPECT_NEAR(*stats->medianScale, 2, 1e-4); // zero has no magnitude to speak of
}

TEST(Codes, CountsEveryCodeOfEveryTypeWhateverTheThreads) {
    for (const DtypeInfo& type : allDtypes()) {
        const auto shape = *Shape::make({300, 256});
        const TensorReader reader = test::makeReader(type.dtype, shape, test::randomBytes(type.dtype, shape.elements(), 2));
        const auto one = computeCodes(reader, 64, 1, {});
        if (type.kind != DtypeKind::Block) {
            EXPECT_FALSE(one) << type.name;
            continue;
        }
        const auto many = computeCodes(reader, 64, 3, {});
        ASSERT_TRUE(one && many) << type.name;
        EXPECT_EQ(one->counts, many->counts);
        EXPECT_EQ(one->scales.counts, many->scales.counts);
        const auto codes = std::accumulate(one->counts.begin(), one->counts.end(), std::uint64_t{0});
        EXPECT_EQ(shape.elements() % codes, 0u) << type.name;
        EXPECT_EQ(std::accumulate(one->scales.counts.begin(), one->scales.counts.end(), std::uint64_t{0}),
                  one->groups - one->badScales);
        EXPECT_LE(one->efficiency, 1 + 1e-12);
    }
}

} // namespace
} // namespace wb::stats
