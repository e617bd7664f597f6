// SPDX-License-Identifier: MIT
#include "core/text/encoder.h"
#include "core/text/pretokenizer.h"
#include "core/text/token_trie.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

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
Model pairsModel(std::vector<Member> pairs) {
    Model model;
    model.format = FormatId::Gguf;
    model.files.push_back({"tiny.gguf", 0, {}, nullptr});
    for (Member& pair : pairs) model.metadata.members.push_back({"tokenizer.ggml." + pair.key, std::move(pair.value)});
    model.metadata.count = model.metadata.members.size();
    return model;
}

std::shared_ptr<const Tokenizer> open(std::vector<Member> pairs) {
    auto tokenizer = Tokenizer::open(pairsModel(std::move(pairs)));
    if (!tokenizer) ADD_FAILURE() << tokenizer.error().message();
    return tokenizer ? *tokenizer : nullptr;
}

Reason pairsReason(std::vector<Member> pairs) {
    const auto tokenizer = Tokenizer::open(pairsModel(std::move(pairs)));
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

TEST(Ugm, RefusesADamagedNormalizationAndNamesTheFile) {
    const std::vector<std::vector<double>> tables = {{1},                     // no length
                                                     {255, 255, 255, 127, 1}, // a length beyond the end
                                                     {2, 0, 0, 0, 1, 1},      // half a unit
                                                     {0, 0, 0, 0, 256},       // no byte
                                                     {0, 0, 0, 0, 1e300},     // a number no integer holds
                                                     {0, 0, 0, 0, std::nan("")}};
    for (const std::vector<double>& table : tables) {
        const auto tokenizer = Tokenizer::open(
            pairsModel({{"model", word("t5")}, {"tokens", strings({"a"})}, {"precompiled_charsmap", numbers(table)}}));
        ASSERT_FALSE(tokenizer);
        EXPECT_EQ(tokenizer.error().reason, Reason("text.charsmap"));
        EXPECT_THAT(tokenizer.error().message(), testing::HasSubstr("tiny.gguf"));
    }
}

TEST(Rwkv, TakesTheLongestTokenOfEscapedBytes) {
    const auto tokenizer = open({{"model", word("rwkv")}, {"tokens", strings({"<s>", "a", "ab", "\\n", "\\xe4\\xbd", "\\xa0"})}});
    ASSERT_TRUE(tokenizer);
    EXPECT_THAT(encode(*tokenizer, "aba\n你"), ElementsAre(2, 1, 3, 4, 5));
    EXPECT_EQ(tokenizer->decode(std::vector<TokenId>{2, 4, 5}), "ab你");
}

TEST(Vocabulary, IsRefusedWithItsReason) {
    EXPECT_EQ(pairsReason({}), Reason("text.no_vocabulary"));
    EXPECT_EQ(pairsReason({{"model", word("plamo2")}}), Reason("text.algorithm_unknown"));
    EXPECT_EQ(pairsReason({{"model", word("llama")}}), Reason("text.no_tokens"));
    EXPECT_EQ(pairsReason({{"model", word("llama")}, {"tokens", word("one")}}), Reason("text.array"));
    EXPECT_EQ(pairsReason({{"model", word("llama")}, {"tokens", strings({"a", "b"})}, {"scores", numbers<float>({0})}}),
              Reason("text.short_column"));
    EXPECT_EQ(pairsReason({{"model", word("gpt2")}, {"pre", word("gpt-2")}, {"tokens", strings({"a"})}}), Reason("text.no_merges"));
    EXPECT_EQ(
        pairsReason({{"model", word("gpt2")}, {"pre", word("qwen3")}, {"tokens", strings({"a"})}, {"merges", strings({"a b"})}}),
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

TEST(Encoding, CanBeCanceled) {
    const auto tokenizer = withSpecials();
    ASSERT_TRUE(tokenizer);
    std::stop_source source;
    source.request_stop();
    std::string text;
    for (int i = 0; i < 10000; ++i) text += "a ";
    const auto ids = tokenizer->encode(text, {.addSpecial = false, .parseSpecial = false, .stop = source.get_token()});
    ASSERT_FALSE(ids);
    EXPECT_EQ(ids.error().code, ErrorCode::Canceled);
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

// Byte-encoded tokens: all bytes, then what the merges make.
struct SmallBpe {
    std::vector<std::string> tokens, merges;
    std::map<std::string, TokenId> ids;
    std::map<std::pair<std::string, std::string>, std::size_t> ranks;

    SmallBpe(std::initializer_list<std::pair<const char*, const char*>> pairs, std::string_view pre) {
        if (pre != "gemma4") {
            for (unsigned byte = 0; byte < 256; ++byte) {
                std::string character;
                appendUtf8(character, characterOfByte(static_cast<unsigned char>(byte)));
                add(character);
            }
        } else {
            for (const char c : std::string_view("the123Dont!\nx")) add(std::string(1, c));
            add(std::string(blankMark));
        }
        for (const auto& [left, right] : pairs) {
            ranks.try_emplace({left, right}, merges.size());
            merges.push_back(std::string(left) + ' ' + right);
            add(std::string(left) + right);
        }
    }
    void add(const std::string& text) {
        if (ids.try_emplace(text, static_cast<TokenId>(tokens.size())).second) tokens.push_back(text);
    }

    // Always the pair that ranks first, of equal ones the leftmost.
    void merge(std::vector<std::string>& symbols) const {
        while (true) {
            std::size_t best = SIZE_MAX, at = 0;
            for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
                if (const auto rank = ranks.find({symbols[i], symbols[i + 1]}); rank != ranks.end() && rank->second < best) {
                    best = rank->second;
                    at = i;
                }
            if (best == SIZE_MAX) return;
            symbols[at] += symbols[at + 1];
            symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
    }

    std::vector<TokenId> encode(const std::vector<std::string_view>& pieces, bool bytes) const {
        std::vector<TokenId> out;
        for (const std::string_view piece : pieces) {
            std::vector<std::string> symbols;
            for (std::size_t i = 0; i < piece.size();) {
                const std::size_t length = bytes ? 1 : characterBytes(piece[i]);
                symbols.emplace_back(piece.substr(i, length));
                if (bytes) {
                    symbols.back().clear();
                    appendUtf8(symbols.back(), characterOfByte(static_cast<unsigned char>(piece[i])));
                }
                i += length;
            }
            merge(symbols);
            for (const std::string& symbol : symbols) out.push_back(ids.at(symbol));
        }
        return out;
    }
};

// A piece that was met before is not cut and merged again: whatever expression made it, the ids are those of a plain encoder.
TEST(Encoding, RepeatedPiecesGiveTheSameIdsInEveryFamily) {
    const SmallBpe bpe({{"t", "h"}, {"th", "e"}, {"\u0120", "the"}, {"1", "2"}, {"12", "3"}, {"\u0120", "\u0120"}, {"!", "!"}}, "");
    std::string text;
    for (int i = 0; i < 3; ++i) text += " the the12 123 12345\r\n\n  the\t你好世界the3.14!!! Don't the  12!!the 1!\n123\n\n12 \n";
    for (const std::string_view pre : PreTokenizer::values()) {
        const auto preTokenizer = PreTokenizer::find(pre);
        ASSERT_TRUE(preTokenizer);
        if (!preTokenizer->encodesBytes()) continue;
        const auto tokenizer = open({{"model", word("gpt2")},
                                     {"pre", word(std::string(pre).c_str())},
                                     {"tokens", strings(bpe.tokens)},
                                     {"merges", strings(bpe.merges)}});
        ASSERT_TRUE(tokenizer) << pre;
        std::vector<std::string_view> pieces;
        preTokenizer->split(text, pieces);
        if (tokenizer->vocabulary().ignoreMerges) continue; // whole pieces are tokens there
        EXPECT_EQ(encode(*tokenizer, text), bpe.encode(pieces, true)) << pre;
    }
}

// Lines are the pieces of gemma4; they are divided before a word only where no merge joins it to what stands before.
TEST(Encoding, LinesOfGemmaAreMergedAsAWhole) {
    const std::string line = " the the12  Don't the 1!";
    std::string marked;
    for (const char c : line) c == ' ' ? marked += blankMark : marked += c;
    for (const bool crosses : {false, true}) {
        SmallBpe bpe({{"t", "h"}, {"th", "e"}, {"\u2581", "the"}, {"1", "2"}, {"\u2581", "\u2581"}}, "gemma4");
        if (crosses) {
            bpe.ranks.try_emplace({"e", "\u2581"}, bpe.merges.size());
            bpe.merges.push_back("e \u2581");
            bpe.add("e\u2581");
            bpe.ranks.try_emplace({"\u2581the", "\u2581the"}, bpe.merges.size());
            bpe.merges.push_back("\u2581the \u2581the");
            bpe.add("\u2581the\u2581the");
        }
        bpe.add("'");
        const auto tokenizer = open({{"model", word("gemma4")}, {"tokens", strings(bpe.tokens)}, {"merges", strings(bpe.merges)}});
        ASSERT_TRUE(tokenizer);
        EXPECT_EQ(encode(*tokenizer, line + "\n" + line), bpe.encode({marked, "\n", marked}, false)) << crosses;
    }
}

TEST(TokenTrie, FindsAllTokensThatATextBeginsWith) {
    const TokenTrie trie = TokenTrie::build({{"a", 1}, {"abc", 2}, {"b", 3}, {"abc", 9}, {"abd", 4}, {"\xFF\xFE", 5}});
    std::vector<std::pair<std::size_t, TokenId>> found;
    trie.walk("abcd", [&](std::size_t length, TokenId id) { found.emplace_back(length, id); });
    EXPECT_THAT(found, ElementsAre(std::pair<std::size_t, TokenId>(1, 1), std::pair<std::size_t, TokenId>(3, 2)));
    EXPECT_EQ(trie.longest("ab").length, 1u);
    EXPECT_EQ(trie.longest("\xFF\xFE\xFD").id, 5);
    EXPECT_EQ(trie.longest("x").id, noToken);
    EXPECT_EQ(trie.longest("").length, 0u);
    EXPECT_EQ(TokenTrie::build({}).longest("a").length, 0u);
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
