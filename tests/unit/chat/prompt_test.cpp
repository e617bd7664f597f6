// SPDX-License-Identifier: MIT
#include "core/chat/prompt.h"

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

} // namespace
} // namespace wb::chat
