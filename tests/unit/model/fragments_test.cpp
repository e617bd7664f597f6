// SPDX-License-Identifier: MIT
#include "core/model/fragments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb {
namespace {

using testing::ElementsAre;

TEST(Fragments, AreEnglishWithGroupedCounts) {
    EXPECT_EQ(fragmentText(fragment::chunks, 1u), "1 chunk");
    EXPECT_EQ(fragmentText(fragment::filteredChunks, 1234u, "gzip"), "1,234 chunks, gzip");
    EXPECT_EQ(fragmentText(fragment::graphTensor, 7u), "tensor 7 of its graph");
    EXPECT_EQ(fragmentText(fragment::scale, "0.5", -3), "scale 0.5, zero point -3");
}

TEST(Fragments, AreTakenApartAgain) {
    const auto parts = fragmentParts("1 chunk");
    ASSERT_TRUE(parts);
    EXPECT_STREQ(parts->format, fragment::chunks);
    EXPECT_THAT(parts->arguments, ElementsAre("1"));
    const auto channels = fragmentParts("quantized, per_channel_affine, axis 1");
    ASSERT_TRUE(channels);
    EXPECT_STREQ(channels->format, fragment::quantizedChannels);
    EXPECT_THAT(channels->arguments, ElementsAre("per_channel_affine", "1"));
}

TEST(Fragments, OfEveryFormatLeadBackToIt) {
    for (const char* const format : {fragment::chunks,
                                     fragment::filteredChunks,
                                     fragment::missingChunks,
                                     fragment::neverWritten,
                                     fragment::parts,
                                     fragment::pieces,
                                     fragment::oneValue,
                                     fragment::direction,
                                     fragment::sparse,
                                     fragment::graphTensor,
                                     fragment::scale,
                                     fragment::scales,
                                     fragment::scalesAndZeros,
                                     fragment::quantized,
                                     fragment::quantizedTensor,
                                     fragment::quantizedChannels,
                                     fragment::filter,
                                     fragment::removedType,
                                     fragment::forkType,
                                     fragment::unknownType,
                                     fragment::component,
                                     fragment::pieceInFile,
                                     fragment::pieceWithoutFile,
                                     fragment::pieceOfRank,
                                     fragment::fileOfRank})
        for (const char* const first : {"1", "2"}) {
            const std::string text = fillSentence(format, {first, "3", "4", "5"});
            const auto parts = fragmentParts(text);
            ASSERT_TRUE(parts) << text;
            EXPECT_STREQ(parts->format, format) << text;
            EXPECT_EQ(fillSentence(parts->format, parts->arguments), text);
        }
}

TEST(Fragments, OfAnotherFormAreNone) {
    for (const char* const text : {"", "chunks", "1 chunks", "2 chunk", "tensor of its graph", "never", "scale 1", "saved in"})
        EXPECT_FALSE(fragmentParts(text)) << text;
}

} // namespace
} // namespace wb
