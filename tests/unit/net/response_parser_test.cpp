// SPDX-License-Identifier: MIT
#include "core/net/response_parser.h"

#include <gtest/gtest.h>

namespace wb::net {
namespace {

struct Parsed {
    int heads = 0;
    Head head;
    std::string body;
    std::optional<Failure> failure;
    bool isDone = false;
};

// In pieces of so many bytes; then the connection closes.
Parsed parse(std::string_view text, std::size_t pieceBytes, bool isHead = false) {
    Parsed parsed;
    ResponseParser parser(isHead);
    const auto sink = [&parsed](std::variant<Head, Body> part) {
        if (auto* head = std::get_if<Head>(&part)) parsed.head = std::move(*head), ++parsed.heads;
        else
            for (const std::byte byte : std::get<Body>(part)) parsed.body += static_cast<char>(byte);
    };
    for (std::size_t at = 0; at < text.size() && !parsed.failure; at += pieceBytes)
        if (const auto taken = parser.take(text.substr(at, pieceBytes), sink); !taken) parsed.failure = taken.error();
    parsed.isDone = parser.isDone();
    if (parsed.failure) return parsed;
    if (const auto closed = parser.close(); !closed) parsed.failure = closed.error();
    return parsed;
}

TEST(ResponseParser, ReadsBodiesOfEveryForm) {
    const std::string hints = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n";
    for (const std::size_t pieceBytes : {1u, 7u, 10'000u}) {
        const Parsed sized =
            parse(hints + "HTTP/1.1 206 Partial\r\nContent-Length:  5 \r\nETag: \"x\"\r\n\r\nhello, more", pieceBytes);
        ASSERT_FALSE(sized.failure) << sized.failure->detail;
        EXPECT_TRUE(sized.isDone);
        EXPECT_EQ(sized.heads, 1);
        EXPECT_EQ(sized.head.status, 206);
        EXPECT_EQ(*sized.head.headers.find("etag"), "\"x\"");
        EXPECT_FALSE(sized.head.headers.find("Link")) << "of the hint";
        EXPECT_EQ(sized.body, "hello");
        const Parsed chunked =
            parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nA: b\r\n\r\n", pieceBytes);
        ASSERT_FALSE(chunked.failure) << chunked.failure->detail;
        EXPECT_EQ(chunked.body, "hello");
        const Parsed open = parse("HTTP/1.0 200 OK\n\nhello", pieceBytes);
        EXPECT_FALSE(open.failure || open.isDone);
        EXPECT_EQ(open.body, "hello");
    }
    EXPECT_TRUE(parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 9, true).isDone) << "of HEAD";
    EXPECT_TRUE(parse("HTTP/1.1 304 Not Modified\r\n\r\n", 9).isDone);
}

TEST(ResponseParser, RefusesWhatIsNoAnswer) {
    for (const std::string& text :
         {std::string("hello\r\n\r\n"), std::string("HTTP/2 200 OK\r\n\r\n"), std::string("HTTP/1.1 20 OK\r\n\r\n"),
          std::string("HTTP/1.1 101 Switching\r\n\r\n"), std::string("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n"), std::string("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
          std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"),
          "HTTP/1.1 200 OK\r\nA: " + std::string(70'000, 'a')}) {
        const Parsed parsed = parse(text, 11);
        ASSERT_TRUE(parsed.failure) << text.substr(0, 60);
        EXPECT_EQ(parsed.failure->kind, FailureKind::Protocol) << text.substr(0, 60);
    }
    std::string hints;
    for (int i = 0; i < 5000; ++i) hints += "HTTP/1.1 103 Early Hints\r\n\r\n";
    EXPECT_TRUE(parse(hints, 1000).failure) << "hints without an end";
    EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", 11).failure->kind, FailureKind::Reset);
    EXPECT_EQ(parse("", 11).failure->kind, FailureKind::Reset);
}

} // namespace
} // namespace wb::net
