// SPDX-License-Identifier: MIT
#include "core/chat/event_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace wb::chat {
namespace {

TEST(EventQueue, KeepsTheOrderAndJoinsText) {
    EventQueue queue;
    for (std::uint64_t done = 0; done < 100; ++done) queue.push(LoadProgress{done, 100}, {});
    queue.push(TextDelta{"Once ", 3}, {});
    queue.push(TextDelta{"upon", 4}, {});
    queue.push(Completed{}, {});
    const std::vector<Event> events = queue.take();
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(std::get<LoadProgress>(events[0]).done, 99u);
    EXPECT_EQ(std::get<TextDelta>(events[1]).text, "Once upon");
    EXPECT_EQ(std::get<TextDelta>(events[1]).contextUsed, 4u);
    EXPECT_TRUE(isLast(events[2]));
    EXPECT_FALSE(isLast(events[1]));
    EXPECT_TRUE(queue.take().empty());
}

// A model that is faster than its reader waits: at most one piece of text passes the limit.
TEST(EventQueue, TextWaitsForTheReader) {
    EventQueue queue;
    const std::string piece(100, 'x');
    constexpr std::size_t pieces = 200;
    std::jthread writer([&](const std::stop_token& stop) {
        for (std::size_t i = 0; i < pieces; ++i) queue.push(TextDelta{piece, i}, stop);
        queue.push(Completed{}, stop);
    });
    std::size_t bytes = 0;
    for (bool isOver = false; !isOver;)
        for (const Event& event : queue.wait()) {
            if (const auto* text = std::get_if<TextDelta>(&event)) {
                EXPECT_LT(text->text.size(), EventQueue::maxTextBytes + piece.size());
                bytes += text->text.size();
            }
            isOver = isLast(event);
        }
    EXPECT_EQ(bytes, pieces * piece.size());
}

TEST(EventQueue, StopEndsTheWaitAndLosesNoText) {
    EventQueue queue;
    std::jthread writer([&](const std::stop_token& stop) {
        for (int i = 0; i < 20; ++i) queue.push(TextDelta{std::string(100, 'x'), 0}, stop);
    });
    writer.request_stop();
    writer.join();
    const std::vector<Event> events = queue.take();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(std::get<TextDelta>(events[0]).text.size(), 2000u);
}

} // namespace
} // namespace wb::chat
