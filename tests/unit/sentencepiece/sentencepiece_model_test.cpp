// SPDX-License-Identifier: MIT
#include "core/formats/sentencepiece/sentencepiece.h"

#include "tests/unit/support/index_harm.h"
#include "tests/unit/support/support.h"

namespace wb::sentencepiece {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string piece(const std::string& text, float score, char type) {
    const std::string number(reinterpret_cast<const char*>(&score), sizeof(score));
    const std::string message =
        "\x0A" + std::string(1, static_cast<char>(text.size())) + text + "\x15" + number + "\x18" + std::string(1, type);
    return "\x0A" + std::string(1, static_cast<char>(message.size())) + message;
}

// Three pieces, a trainer's bpe of three pieces with bytes, and a normalizer.
const std::string tokenizer = piece("<unk>", 0, 2) + piece("\xE2\x96\x81the", -1.5f, 1) + piece("<0x0A>", -2, 6) +
                              std::string("\x12\x07\x18\x02\x20\x03\x98\x02\x01", 9) + "\x1A\x06\x0A\x04nfkc";

formats::Sources sources(const std::string& content) {
    return {std::make_shared<io::MemorySource>("tokenizer.model", test::toBytes(content))};
}

TEST(SentencePiece, PiecesAndTheirScores) {
    const auto files = sources(tokenizer);
    ASSERT_TRUE(sniff(*files[0]));
    auto index = readIndex(files, {}, {});
    ASSERT_TRUE(index) << index.error().message();
    const Model model = formats::modelFromIndex(std::move(*index), files);
    EXPECT_EQ(model.format, FormatId::SentencePiece);
    EXPECT_EQ(summary(*model.metadata.find("model_type")), "bpe");
    EXPECT_EQ(summary(*model.metadata.find("normalizer")), "nfkc");
    EXPECT_EQ(model.metadata.find("vocab_size")->number(), 3);
    EXPECT_EQ(summary(*model.metadata.find("byte_fallback")), "true");
    EXPECT_EQ(model.metadata.find("pieces")->array()->count, 3u);
    EXPECT_EQ(model.metadata.find("piece_types")->object()->find("byte")->unsignedNumber(), 1u);
    const auto reader = TensorReader::open(model, model.tensors.at(0));
    ASSERT_TRUE(reader) << reader.error().message();
    std::vector<float> scores(3);
    std::vector<std::byte> scratch;
    ASSERT_TRUE(reader->readF32(0, scores, scratch));
    EXPECT_THAT(scores, ElementsAre(0, -1.5f, -2));
}

TEST(SentencePiece, OtherMessagesAreNone) {
    for (const std::string& content : {std::string(), std::string("\x0A\x02\x08\x01", 4), std::string("\x0A\x03\x0A\x01x", 5),
                                       tokenizer + "\x38\x01", tokenizer.substr(0, tokenizer.size() - 1)})
        EXPECT_FALSE(sniff(*sources(content)[0]));
    const auto none = readIndex(sources("\x1A\x06\x0A\x04nfkc"), {}, {});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message(), HasSubstr("without pieces"));
}

TEST(SentencePiece, IsCutAndBentAtEveryByteWithoutHarm) {
    test::cutAndBend(readIndex, nullptr, sources(tokenizer), 0, test::toBytes(tokenizer));
}

} // namespace
} // namespace wb::sentencepiece
