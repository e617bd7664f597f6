// SPDX-License-Identifier: MIT
#include "core/formats/open.h"
#include "core/text/tokenizer.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace wb::text {
namespace {

class GoldenTokens : public testing::TestWithParam<const char*> {
protected:
    static std::shared_ptr<const Tokenizer> open(const std::string& name) {
        const auto model = formats::open(test::shared() / "golden/tokenizers" / ("ggml-vocab-" + name + ".gguf"));
        if (!model) {
            ADD_FAILURE() << model.error().message();
            return nullptr;
        }
        auto tokenizer = Tokenizer::open(**model);
        if (!tokenizer) ADD_FAILURE() << tokenizer.error().message();
        return tokenizer ? *tokenizer : nullptr;
    }
};

// The reference's ids of 128 texts, with and without special tokens.
TEST_P(GoldenTokens, EqualTheReference) {
    WB_NEED_SHARED("golden/tokenizers");
    const std::string name = GetParam();
    const auto tokenizer = open(name);
    ASSERT_TRUE(tokenizer);
    std::ifstream file(test::shared() / "golden/tokenizers" / (name + ".json"));
    const nlohmann::json cases = nlohmann::json::parse(file);
    ASSERT_EQ(cases.size(), 128u);
    for (const nlohmann::json& golden : cases) {
        const std::string text = golden["text"];
        EXPECT_EQ(tokenizer->encode(text, {.addSpecial = false, .parseSpecial = false, .stop = {}}).value(),
                  golden["plain"].get<std::vector<TokenId>>())
            << text;
        EXPECT_EQ(tokenizer->encode(text).value(), golden["special"].get<std::vector<TokenId>>()) << text;
    }
}

// What merges or covers bytes gives them back, whatever the text.
TEST_P(GoldenTokens, DecodeToTheText) {
    WB_NEED_SHARED("golden/tokenizers");
    const std::string name = GetParam();
    const auto tokenizer = open(name);
    ASSERT_TRUE(tokenizer);
    if (tokenizer->vocabulary().algorithm == Algorithm::Wpm) return; // lower-cases and drops accents
    std::ifstream file(test::shared() / "golden/tokenizers" / (name + ".json"));
    for (const nlohmann::json& golden : nlohmann::json::parse(file)) {
        const std::string text = golden["text"];
        const std::vector<TokenId> ids = golden["plain"];
        if (name == "phi-3") continue; // user-defined tokens swallow the blanks behind them
        EXPECT_EQ(tokenizer->decode(ids, true), text);
    }
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, GoldenTokens,
                         testing::Values("bert-bge", "deepseek-llm", "falcon", "gpt-2", "llama-bpe", "llama-spm", "phi-3", "qwen2",
                                         "starcoder"),
                         [](const auto& vocabulary) {
                             std::string name = vocabulary.param;
                             std::erase(name, '-');
                             return name;
                         });

} // namespace
} // namespace wb::text
