// SPDX-License-Identifier: MIT
#include "core/text/chat_template.h"
#include "core/text/jinja/json_values.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace wb::text {
namespace {

std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

Conversation conversationOf(const nlohmann::ordered_json& golden) {
    Conversation conversation;
    conversation.messages = jinja::valueOfJson(golden["messages"].dump()).value();
    conversation.tools = jinja::valueOfJson(golden["tools"].dump()).value();
    conversation.addGenerationPrompt = golden["add_generation_prompt"];
    conversation.bosToken = golden["bos_token"];
    conversation.eosToken = golden["eos_token"];
    for (const auto& [name, value] : golden["kwargs"].items())
        conversation.variables.emplace_back(name, jinja::valueOfJson(value.dump()).value());
    conversation.now.tm_year = 126;
    conversation.now.tm_mday = 2;
    conversation.now.tm_wday = 5;
    conversation.now.tm_yday = 1;
    conversation.now.tm_hour = 15;
    conversation.now.tm_min = 4;
    conversation.now.tm_sec = 5;
    return conversation;
}

// 47 templates of public models with eleven conversations each, rendered by Jinja2 as transformers uses it.
TEST(GoldenTemplates, EqualJinja2) {
    WB_NEED_SHARED("golden/chat_templates");
    const auto folder = test::shared() / "golden/chat_templates";
    std::ifstream file(folder / "cases.json");
    const auto cases = nlohmann::ordered_json::parse(file);
    ASSERT_EQ(cases.size(), 1034u);
    std::size_t failures = 0;
    for (const auto& golden : cases) {
        const std::string name = golden["template"];
        const auto program = ChatTemplate::parse(textOf(folder / "templates" / name), name);
        const auto prompt = program ? program->render(conversationOf(golden)) : Result<Prompt>(std::unexpected(program.error()));
        const std::string shown = name + " " + std::string(golden["case"]);
        if (golden.contains("error")) {
            const std::string expected = golden["error"];
            if (prompt) ADD_FAILURE() << shown << " should fail with " << expected;
            else EXPECT_EQ(failureClassOf(prompt.error()), expected) << shown << prompt.error().message();
        } else if (!prompt) {
            ADD_FAILURE() << shown << ": " << prompt.error().message();
        } else {
            EXPECT_EQ(prompt->text, std::string(golden["expected"])) << shown;
        }
        failures += testing::Test::HasFailure();
        ASSERT_LT(failures, 20u) << "too many";
    }
}

} // namespace
} // namespace wb::text
