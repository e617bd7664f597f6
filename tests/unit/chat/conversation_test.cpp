// SPDX-License-Identifier: MIT
#include "core/chat/conversation.h"

#include <gtest/gtest.h>

namespace wb::chat {
namespace {

std::vector<std::string> texts(const Conversation& conversation) {
    std::vector<std::string> texts;
    for (const Turn* turn : conversation.branch()) texts.push_back(turn->text);
    return texts;
}

TEST(Conversation, EditAndRegenerateMakeBranches) {
    Conversation talk;
    const std::int64_t question = talk.add(0, Role::User, "Why?").id;
    const std::int64_t first = talk.add(question, Role::Assistant, "So.").id;
    const std::int64_t second = talk.add(question, Role::Assistant, "Because.").id;
    EXPECT_EQ(texts(talk), (std::vector<std::string>{"Why?", "Because."}));
    EXPECT_EQ(talk.versions(second), (std::vector<std::int64_t>{first, second}));
    const std::int64_t edited = talk.add(0, Role::User, "How?").id;
    EXPECT_EQ(texts(talk), (std::vector<std::string>{"How?"}));
    EXPECT_EQ(talk.versions(edited).size(), 2u);
    talk.show(question); // down to its newest answer
    EXPECT_EQ(talk.head.leaf, second);
    talk.show(first);
    EXPECT_EQ(texts(talk), (std::vector<std::string>{"Why?", "So."}));
}

TEST(Conversation, ReportsChangesOnce) {
    Conversation talk;
    const std::int64_t question = talk.add(0, Role::User, "Why?").id;
    const std::int64_t answer = talk.add(question, Role::Assistant).id;
    EXPECT_EQ(talk.takeChanged().size(), 2u);
    EXPECT_TRUE(talk.takeChanged().empty());
    talk.edit(answer)->text = "So.";
    talk.edit(answer)->text += " And so.";
    const auto changed = talk.takeChanged();
    ASSERT_EQ(changed.size(), 1u);
    EXPECT_EQ(changed[0].text, "So. And so.");
    talk.removeLast(question); // has an answer
    EXPECT_TRUE(talk.takeRemoved().empty());
    talk.removeLast(answer);
    EXPECT_EQ(talk.takeRemoved(), std::vector<std::int64_t>{answer});
    EXPECT_EQ(talk.head.leaf, question);
}

// Turns come from a file: circles and missing parents must neither hang nor lose text.
TEST(Conversation, DamagedTurnsStayReadable) {
    const std::vector<Turn> turns = {{3, 3, Role::User, "c", {}}, {2, 9, Role::Assistant, "b", {}}, {1, 2, Role::User, "a", {}}};
    ConversationHead head;
    head.leaf = 77;
    const Conversation talk(head, turns);
    EXPECT_EQ(talk.turns().size(), 3u);
    EXPECT_EQ(talk.head.leaf, 3);
    for (const Turn& turn : talk.turns()) EXPECT_EQ(turn.parent, 0);
    EXPECT_EQ(texts(talk), std::vector<std::string>{"c"});
}

TEST(Conversation, TitleIsTheFirstWords) {
    EXPECT_EQ(titleFromMessage("  Write\n\ta poem  "), "Write a poem ");
    EXPECT_EQ(titleFromMessage(std::string(200, 'x')).size(), 80 + std::string("…").size());
}

} // namespace
} // namespace wb::chat
