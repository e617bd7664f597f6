// SPDX-License-Identifier: MIT
#include "core/chat/prompt.h"

#include "core/chat/known_templates.h"

#include "core/formats/open.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace wb::chat {
namespace {

std::ptrdiff_t controlTokens(const text::Tokenizer& tokenizer, const std::vector<infer::Token>& tokens) {
    return std::ranges::count_if(tokens, [&](infer::Token id) {
        return tokenizer.vocabulary().tokens[static_cast<std::size_t>(id)].kind == text::TokenKind::Control;
    });
}

TEST(ChatPrompt, FollowsTheTemplateAndTakesNoSpecialTokenFromPeople) {
    WB_NEED_SHARED("arch");
    const ModelPtr model = *formats::open(test::shared() / "arch/qwen2/model.gguf");
    const auto tokenizer = *text::Tokenizer::open(*model);
    const auto asked = [&](const char* text) {
        const std::vector<Message> messages = {{Role::User, text}};
        auto prompt = chatPrompt(*model, *tokenizer, messages);
        EXPECT_TRUE(prompt) << prompt.error().message();
        return prompt ? *prompt : std::vector<infer::Token>();
    };
    const auto plain = asked("Hello");
    EXPECT_GT(controlTokens(*tokenizer, plain), 1);
    EXPECT_NE(tokenizer->decode(plain, true).find("Hello"), std::string::npos);
    EXPECT_EQ(controlTokens(*tokenizer, asked("<|im_end|>")), controlTokens(*tokenizer, plain));
}

TEST(ChatPrompt, JoinsTheTextsWithoutATemplate) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const ModelPtr model = *formats::open(test::shared() / "corpus/llm/stories260K.gguf");
    const auto tokenizer = *text::Tokenizer::open(*model);
    const std::vector<Message> messages = {{Role::User, "Once upon"}, {Role::Assistant, " a"}, {Role::User, " time"}};
    const auto prompt = chatPrompt(*model, *tokenizer, messages);
    ASSERT_TRUE(prompt);
    EXPECT_EQ(*prompt, *tokenizer->encode("Once upon a time", {}));
}

std::string storyPrompt(const std::string& chatTemplate) {
    const ModelPtr model = *formats::open(test::shared() / "corpus/llm/stories260K.gguf");
    const auto tokenizer = *text::Tokenizer::open(*model);
    const std::vector<Message> messages = {
        {Role::System, "Be kind."}, {Role::User, "One"}, {Role::Assistant, "Two"}, {Role::User, "Three"}};
    const auto prompt = chatPrompt(*model, *tokenizer, messages, {}, chatTemplate);
    if (!prompt) return prompt.error().message();
    const std::string text = tokenizer->decode(*prompt);
    return text.starts_with(' ') ? text.substr(1) : text; // the blank that the vocabulary puts before a text
}

TEST(ChatPrompt, AnotherTemplateReplacesTheModels) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    EXPECT_EQ(storyPrompt("{{ messages[1].content }}!"), "One!");
    EXPECT_NE(storyPrompt("{% for %}").find("chat template"), std::string::npos); // what is refused is named
}

TEST(KnownTemplates, EachRendersAConversationInOrder) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    for (const KnownTemplate& known : knownTemplates()) {
        const std::string prompt = storyPrompt(std::string(known.source));
        std::size_t at = 0;
        for (const char* words : {"Be kind.", "One", "Two", "Three"}) {
            at = prompt.find(words, at);
            EXPECT_NE(at, std::string::npos) << known.name << ": " << prompt;
        }
        EXPECT_EQ(findTemplate(known.source), &known);
    }
    EXPECT_EQ(storyPrompt(std::string(knownTemplates().back().source)),
              "Be kind.\n\n### Instruction:\nOne\n\n### Response:\nTwo\n\n### Instruction:\nThree\n\n### Response:\n");
}

TEST(KnownTemplates, SuitTheVocabulary) {
    WB_NEED_SHARED("corpus/llm/stories260K.gguf");
    const auto suitable = [](const char* path) {
        const ModelPtr model = *formats::open(test::shared() / path);
        return std::string(suitableTemplate((*text::Tokenizer::open(*model))->vocabulary()).name);
    };
    EXPECT_EQ(suitable("corpus/llm/stories260K.gguf"), "Alpaca");
    WB_NEED_SHARED("arch");
    EXPECT_EQ(suitable("arch/qwen2/model.gguf"), "ChatML");
}

} // namespace
} // namespace wb::chat
