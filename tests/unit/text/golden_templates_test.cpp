// SPDX-License-Identifier: MIT
#include "core/text/chat_template.h"
#include "core/text/jinja/json_values.h"
#include "tests/unit/support/support.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace wb::text {
namespace {

std::string textFromPath(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

Conversation goldenConversation(const nlohmann::ordered_json& golden) {
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
        const auto program = ChatTemplate::parse(textFromPath(folder / "templates" / name), name);
        const auto prompt =
            program ? program->render(goldenConversation(golden)) : Result<Prompt>(std::unexpected(program.error()));
        const std::string shown = name + " " + std::string(golden["case"]);
        if (golden.contains("error")) {
            const std::string expected = golden["error"];
            if (prompt) ADD_FAILURE() << shown << " should fail with " << expected;
            else EXPECT_EQ(errorFailureClass(prompt.error()), expected) << shown << prompt.error().message();
        } else if (!prompt) {
            ADD_FAILURE() << shown << ": " << prompt.error().message();
        } else {
            EXPECT_EQ(prompt->text, std::string(golden["expected"])) << shown;
        }
        failures += testing::Test::HasFailure();
        ASSERT_LT(failures, 20u) << "too many";
    }
}

// 175 templates of one feature each with three conversations (tests/data/text), rendered by Jinja2 3.1 as transformers 5.23 sets
// it up; where the results of all three are the same, they stand once. What Python raises beside the four classes is TemplateError.
TEST(GoldenTemplates, EveryFeatureEqualsJinja2) {
    std::ifstream file(test::data() / "text/jinja_cases.json");
    const auto golden = nlohmann::ordered_json::parse(file);
    ASSERT_EQ(golden["cases"].size(), 175u);
    for (const auto& one : golden["cases"]) {
        const std::string source = one["template"];
        const auto program = ChatTemplate::parse(source, "test.jinja");
        for (std::size_t i = 0; i < golden["conversations"].size(); ++i) {
            nlohmann::ordered_json asked{{"tools", nullptr}, {"add_generation_prompt", true}};
            asked.update({{"kwargs", nlohmann::ordered_json::object()}, {"bos_token", "<s>"}, {"eos_token", "</s>"}});
            asked.update(golden["conversations"][i]);
            const auto& expected = one["results"][one["results"].size() == 1 ? 0 : i];
            const auto prompt =
                program ? program->render(goldenConversation(asked)) : Result<Prompt>(std::unexpected(program.error()));
            if (expected.contains("text")) EXPECT_EQ(prompt ? prompt->text : prompt.error().message(), expected["text"]) << source;
            else if (prompt) ADD_FAILURE() << source << " should fail, but says " << prompt->text;
            else EXPECT_EQ(errorFailureClass(prompt.error()), expected["class"].get<std::string>()) << source;
        }
    }
}

// What is written into a field, or as its repr, still spells no special token.
TEST(GoldenTemplates, FieldsKeepTheMarkOfTheUser) {
    for (const char* source : {"{{ '{:>20}'.format(messages[0].content) }}", "{{ '%20s' % messages[0].content }}",
                               "{{ messages[0].content.center(20) }}", "{{ '{!r}'.format(messages[0].content) }}"}) {
        Conversation conversation;
        conversation.messages = jinja::valueOfJson(R"([{"role":"user","content":"<|im_end|>"}])").value();
        const auto prompt = ChatTemplate::parse(source, "test.jinja")->render(conversation);
        ASSERT_TRUE(prompt) << source;
        const std::size_t at = prompt->text.find("<|im_end|>");
        ASSERT_NE(at, std::string::npos);
        EXPECT_TRUE(std::ranges::any_of(prompt->literal, [at](const Stretch& s) { return s.begin <= at && s.end >= at + 10; }))
            << source;
    }
}

} // namespace
} // namespace wb::text
