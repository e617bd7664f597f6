// SPDX-License-Identifier: MIT
#include "core/chat/conversation_settings.h"

#include <gtest/gtest.h>

namespace wb::chat {
namespace {

TEST(ConversationSettings, PresetSetsSamplingAndNothingElse) {
    ConversationSettings settings;
    settings.instruction = "Be brief.";
    settings.seed = 7;
    for (const Preset preset : {Preset::Greedy, Preset::Balanced, Preset::Creative, Preset::Defaults}) {
        applyPreset(preset, settings);
        EXPECT_EQ(matchingPreset(settings), preset);
        EXPECT_EQ(settings.instruction, "Be brief.");
        EXPECT_EQ(settings.seed, 7u);
    }
    settings.topK = 3;
    EXPECT_FALSE(matchingPreset(settings));
}

TEST(ConversationSettings, JsonRoundTrip) {
    ConversationSettings settings;
    applyPreset(Preset::Creative, settings);
    settings.leftOut = 6;
    settings.instruction = "用中文回答。 \"user\"\n";
    settings.seed = 0xFFFF'FFFF;
    settings.maxTokens = 12;
    settings.reasoningBudget = 0;
    settings.stopStrings = {"</s>", "\n\n"};
    settings.responseSchema = R"({"type":"integer"})";
    settings.chatTemplate = "{{ messages[0].content }}\n";
    EXPECT_EQ(settingsFromJson(settingsJson(settings)), settings);
    EXPECT_EQ(settingsJson(ConversationSettings()), "{}");
    const text::SamplingOptions options = samplingWith(settings, {});
    EXPECT_EQ(options.topK, 0);
    EXPECT_EQ(options.seed, 0xFFFF'FFFFu);
}

// Settings come from a database that other programs can write.
TEST(ConversationSettings, WrongMembersAreAbsent) {
    for (const char* json : {"{}", "no JSON", "[1]", "7", R"({"temperature":-1,"topK":"x","seed":-3,"topP":1e99})",
                             R"({"topK":1.5,"maxTokens":0,"seed":4294967296,"instruction":7,"leftOut":-4})",
                             R"({"temperature":true,"leftOut":1e300,"reasoningBudget":null})",
                             R"({"stop":"x","responseSchema":{}})", R"({"stop":["",7,null],"chatTemplate":7})"})
        EXPECT_EQ(settingsFromJson(json), ConversationSettings()) << json;
    EXPECT_EQ(settingsFromJson(R"({"topK":5.0,"temperature":1})").topK, 5);
    EXPECT_EQ(settingsFromJson(R"({"topK":5.0,"temperature":1})").temperature, 1.0);
}

} // namespace
} // namespace wb::chat
