// SPDX-License-Identifier: MIT
#include "core/convert/gguf/sentencepiece.h"

#include <gtest/gtest.h>

namespace wb::convert {
namespace {

// Two pieces: "<s>" of kind 3 with score 0, and "ab" with score -1.
const std::string small("\x0a\x0c\x0a\x03<s>\x15\0\0\0\0\x18\x03\x0a\x09\x0a\x02"
                        "ab\x15\0\0\x80\xBF",
                        25);

TEST(SentencePiece, ReadsPieces) {
    const auto pieces = readSentencePiece(small, "tokenizer.model");
    ASSERT_TRUE(pieces) << pieces.error().message();
    ASSERT_EQ(pieces->size(), 2u);
    EXPECT_EQ((*pieces)[0].text, "<s>");
    EXPECT_EQ((*pieces)[0].kind, 3);
    EXPECT_EQ((*pieces)[1].text, "ab");
    EXPECT_EQ((*pieces)[1].score, -1.0F);
    EXPECT_EQ((*pieces)[1].kind, 1);
}

TEST(SentencePiece, RefusesEveryCut) {
    for (std::size_t length = 0; length < small.size(); ++length) {
        if (length == 14) continue; // the first piece alone is a model
        EXPECT_FALSE(readSentencePiece(std::string_view(small).substr(0, length), "tokenizer.model")) << length;
    }
}

TEST(SentencePiece, RefusesWhatIsNone) {
    for (const std::string& text : {std::string("{}"), std::string(64, '\xFF'), std::string("\x0a\x02\x18\x09", 4)}) {
        const auto pieces = readSentencePiece(text, "tokenizer.model");
        ASSERT_FALSE(pieces);
        EXPECT_EQ(pieces.error().reason, Reason("convert.sentencepiece"));
    }
}

} // namespace
} // namespace wb::convert
