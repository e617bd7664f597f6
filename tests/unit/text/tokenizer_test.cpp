// SPDX-License-Identifier: MIT
#include "core/text/pretokenizer.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wb::text {
namespace {

using testing::ElementsAre;

Value word(const char* text) { return Value::of(std::string(text)); }

Value strings(const std::vector<std::string>& texts) {
    ValueArray array{ValueType::String, texts.size(), {}, {}};
    for (const std::string& text : texts) array.first.push_back(Value::of(text));
    return Value::of(std::move(array));
}

template <typename Number>
Value numbers(const std::vector<Number>& values) {
    ValueArray array{ValueType::F32, values.size(), {}, {}};
    for (const Number value : values) array.first.push_back(Value::ofFloat(ValueType::F32, static_cast<double>(value)));
    return Value::of(std::move(array));
}

// A model that holds a vocabulary and nothing else.
Model modelOf(std::vector<Member> pairs) {
    Model model;
    model.format = "gguf";
    model.files.push_back({"tiny.gguf", 0, {}, nullptr});
    for (Member& pair : pairs) model.metadata.members.push_back({"tokenizer.ggml." + pair.key, std::move(pair.value)});
    model.metadata.count = model.metadata.members.size();
    return model;
}

std::shared_ptr<const Tokenizer> open(std::vector<Member> pairs) {
    auto tokenizer = Tokenizer::open(modelOf(std::move(pairs)));
    if (!tokenizer) ADD_FAILURE() << tokenizer.error().message();
    return tokenizer ? *tokenizer : nullptr;
}

Reason reasonOf(std::vector<Member> pairs) {
    const auto tokenizer = Tokenizer::open(modelOf(std::move(pairs)));
    return tokenizer ? Reason() : tokenizer.error().reason;
}

std::vector<TokenId> encode(const Tokenizer& tokenizer, std::string_view text, std::vector<Stretch> literal = {}) {
    return tokenizer.encode(text, {.addSpecial = false, .parseSpecial = true, .stop = {}}, literal).value();
}

TEST(Ugm, TakesThePathOfTheHighestScoreAndOneUnknownForARun) {
    const auto tokenizer = open({{"model", word("t5")},
                                 {"tokens", strings({"<pad>", "</s>", "<unk>", "▁a", "b", "▁ab", "c"})},
                                 {"scores", numbers<float>({0, 0, 0, -1, -1, -3, -1})},
                                 {"token_type", numbers<int>({3, 3, 2, 1, 1, 1, 1})},
                                 {"add_space_prefix", Value::of(true)},
                                 {"remove_extra_whitespaces", Value::of(true)}});
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(encode(*tokenizer, "ab"), ElementsAre(3, 4)); // -2 beats -3
    EXPECT_THAT(encode(*tokenizer, "  ab   ab "), ElementsAre(3, 4, 3, 4));
    EXPECT_THAT(encode(*tokenizer, "axyzb"), ElementsAre(3, 2, 4));
    EXPECT_THAT(tokenizer->encode("c").value(), ElementsAre(2, 6, 1)); // the blank before c is in no token; EOS ends it
}

TEST(Ugm, RefusesADamagedNormalisation) {
    EXPECT_EQ(
        reasonOf(
            {{"model", word("t5")}, {"tokens", strings({"a"})}, {"precompiled_charsmap", numbers<int>({255, 255, 255, 127, 1})}}),
        Reason("text.charsmap"));
}

TEST(Rwkv, TakesTheLongestTokenOfEscapedBytes) {
    const auto tokenizer = open({{"model", word("rwkv")}, {"tokens", strings({"<s>", "a", "ab", "\\n", "\\xe4\\xbd", "\\xa0"})}});
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(encode(*tokenizer, "aba\n你"), ElementsAre(2, 1, 3, 4, 5));
    EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{2, 4, 5}), "ab你");
}

TEST(Vocabulary, IsRefusedWithItsReason) {
    EXPECT_EQ(reasonOf({}), Reason("text.no_vocabulary"));
    EXPECT_EQ(reasonOf({{"model", word("plamo2")}}), Reason("text.algorithm_unknown"));
    EXPECT_EQ(reasonOf({{"model", word("llama")}}), Reason("text.no_tokens"));
    EXPECT_EQ(reasonOf({{"model", word("llama")}, {"tokens", word("one")}}), Reason("text.array"));
    EXPECT_EQ(reasonOf({{"model", word("llama")}, {"tokens", strings({"a", "b"})}, {"scores", numbers<float>({0})}}),
              Reason("text.short_column"));
    EXPECT_EQ(reasonOf({{"model", word("gpt2")}, {"pre", word("gpt-2")}, {"tokens", strings({"a"})}}), Reason("text.no_merges"));
    EXPECT_EQ(reasonOf({{"model", word("gpt2")}, {"pre", word("qwen3")}, {"tokens", strings({"a"})}, {"merges", strings({"a b"})}}),
              Reason("text.pretokenizer_unknown"));
}

TEST(Vocabulary, NamesTheNearestPreTokenizers) {
    const auto found = PreTokenizer::find("qwen3");
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message().find("qwen2"), std::string::npos);
}

TEST(Vocabulary, IgnoresSpecialIdsOutsideAndSaysSo) {
    const auto tokenizer = open({{"model", word("llama")},
                                 {"tokens", strings({"<unk>", "<s>", "</s>"})},
                                 {"eos_token_id", Value::ofUnsigned(ValueType::U32, 99)}});
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ(tokenizer->vocabulary().special.eos, 2); // the default of the kind stays
    ASSERT_EQ(tokenizer->vocabulary().problems.size(), 1u);
    EXPECT_STREQ(tokenizer->vocabulary().problems[0].code.id(), "text.special_id");
}

std::shared_ptr<const Tokenizer> withSpecials() {
    return open({{"model", word("llama")},
                 {"tokens", strings({"<unk>", "<s>", "</s>", "a", "<", "s", ">", "<s><s>", "<tool>"})},
                 {"token_type", numbers<int>({2, 3, 3, 1, 1, 1, 1, 3, 4})},
                 {"add_space_prefix", Value::of(false)}});
}

TEST(SpecialTokens, AreFoundLongestFirst) {
    const auto tokenizer = withSpecials();
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(encode(*tokenizer, "<s><s><s>a"), ElementsAre(7, 1, 3));
}

TEST(SpecialTokens, AreNotFormedByWhatAUserWrote) {
    const auto tokenizer = withSpecials();
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(encode(*tokenizer, "<s>a<s>", {{4, 7}}), ElementsAre(1, 3, 4, 5, 6));
    EXPECT_THAT(encode(*tokenizer, "<s>a<s>", {{2, 4}}), ElementsAre(4, 5, 6, 3, 1)); // one byte of it is the user's
    EXPECT_THAT(encode(*tokenizer, "<tool>", {{0, 6}}), ElementsAre(8));              // user-defined tokens are text
}

TEST(Encoding, CanBeCancelled) {
    const auto tokenizer = withSpecials();
    ASSERT_TRUE(tokenizer);
    std::stop_source source;
    source.request_stop();
    std::string text;
    for (int i = 0; i < 10000; ++i) text += "a ";
    const auto ids = tokenizer->encode(text, {.addSpecial = false, .parseSpecial = false, .stop = source.get_token()});
    ASSERT_FALSE(ids);
    EXPECT_EQ(ids.error().code, ErrorCode::Cancelled);
}

TEST(PreTokenizer, GroupsDigitsFromTheRight) {
    std::vector<std::string_view> pieces;
    PreTokenizer::find("superbpe").value().split("a1234567b12", pieces);
    EXPECT_THAT(pieces, ElementsAre("a", "1", "234", "567", "b", "12"));
}

TEST(PreTokenizer, EveryFamilyCompilesAndLosesNothing) {
    const std::string text = "Don't 12345 WE'LL\r\n\n  x\t你好世界3.14 <sentinel:3> IMGIMGABZ\u3000é!!!";
    for (const char* pre : {"llama-bpe",      "jais-2",  "deepseek-llm", "deepseek-v3", "spark2_5",   "youtu",
                            "deepseek-coder", "falcon",  "starcoder",    "gpt-2",       "qwen2",      "qwen35",
                            "bloom",          "viking",  "tekken",       "chameleon",   "gpt-4o",     "granite-embed-multi-97m",
                            "tiny_aya",       "kimi-k2", "superbpe",     "bailingmoe",  "seed-coder", "ufakzeka",
                            "afmoe",          "laguna",  "exaone-moe",   "gemma4",      "minicpm5",   "whitespace",
                            "default"}) {
        const auto preTokenizer = PreTokenizer::find(pre);
        ASSERT_TRUE(preTokenizer) << pre;
        std::vector<std::string_view> pieces;
        preTokenizer->split(text, pieces);
        std::string joined;
        for (const std::string_view piece : pieces) joined += piece;
        EXPECT_EQ(joined, text) << pre;
        EXPECT_GT(pieces.size(), 1u) << pre;
    }
}

TEST(Utf8Stream, HoldsBackIncompleteCharacters) {
    Utf8Stream stream;
    EXPECT_EQ(stream.add("a\xE4\xBD"), "a");
    EXPECT_EQ(stream.add("\xA0"), "你");
    EXPECT_EQ(stream.add("\xFF"
                         "b\xC3"),
              "\uFFFD"
              "b");
    EXPECT_EQ(stream.finish(), "\uFFFD");
    EXPECT_EQ(stream.finish(), "");
}

TEST(Utf8OfBytes, ReplacesEachByteThatIsNoCharacter) {
    EXPECT_EQ(utf8OfBytes("a\xE4\xBD"
                          "b\xFF"),
              "a\uFFFD\uFFFD"
              "b\uFFFD");
}

} // namespace
} // namespace wb::text
