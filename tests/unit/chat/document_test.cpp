// SPDX-License-Identifier: MIT
#include "core/chat/chat_document.h"

#include "tests/unit/support/support.h"

#include <gtest/gtest.h>

namespace wb::chat {
namespace {

TEST(ChatDocument, RoundTrip) {
    const std::vector<Message> messages = {{Role::System, "Be brief."}, {Role::User, "Why \"ü\"?\n"}, {Role::Assistant, "So."}};
    const auto read = parseChatDocument(chatDocument(messages, "A title"), "talk.json");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ(*read, messages);
}

TEST(ChatDocument, RefusesOtherFilesByName) {
    for (const char* text :
         {"", "{}", "[1]", R"({"format":"other","messages":[]})", R"({"format":"weighbridge-chat"})", "\xff",
          R"({"format":"weighbridge-chat","messages":[{"role":"robot","content":""}]})",
          R"({"format":"weighbridge-chat","messages":[{"role":"user"}]})", R"({"format":"weighbridge-chat","messages":[7]})"}) {
        const auto read = parseChatDocument(text, "foreign.json");
        ASSERT_FALSE(read) << text;
        EXPECT_NE(read.error().message().find("foreign.json"), std::string::npos);
    }
}

TEST(ChatDocument, MarkdownShowsTheBranch) {
    Conversation talk;
    talk.head.title = "A talk";
    const std::int64_t question = talk.add(0, Role::User, "Why?").id;
    talk.add(question, Role::Assistant, "First.");
    talk.add(question, Role::Assistant, "Second.");
    EXPECT_EQ(chatMarkdown(talk), "# A talk\n\n## You\n\nWhy?\n\n## Model\n\nSecond.\n");
}

TEST(ChatDocument, UnwritableTargetIsAnError) {
    const test::TemporaryFolder folder;
    EXPECT_TRUE(writeChatFile(folder.path() / "a.json", "x"));
    const auto refused = writeChatFile(folder.path() / "none" / "a.json", "x");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::NotWritable);
}

TEST(Names, OneTableEach) {
    for (const Role role : {Role::System, Role::User, Role::Assistant}) EXPECT_EQ(findRole(roleName(role)), role);
    EXPECT_FALSE(findRole("robot"));
    for (int i = 0; i <= static_cast<int>(infer::FinishReason::Error); ++i) {
        const auto reason = static_cast<infer::FinishReason>(i);
        EXPECT_EQ(infer::findFinishReason(infer::finishReasonName(reason)), reason);
    }
    EXPECT_FALSE(infer::findFinishReason("bored"));
}

} // namespace
} // namespace wb::chat
