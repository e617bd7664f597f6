// SPDX-License-Identifier: MIT
#include "core/net/headers.h"

#include <gtest/gtest.h>

namespace wb::net {
namespace {

TEST(Headers, AreFoundInAnyCase) {
    const Headers headers{{"Link", "a"}, {"LINK", "b"}};
    EXPECT_EQ(*headers.find("link"), "a");
    EXPECT_EQ(headers.all("Link").size(), 2u);
    EXPECT_EQ(headers.find("Range"), nullptr);
}

TEST(Headers, ContentRange) {
    EXPECT_EQ(parseContentRange("bytes 0-99/1000"), (ContentRange{0, 100, 1000}));
    EXPECT_EQ(parseContentRange("bytes 5-5/*"), (ContentRange{5, 6, std::nullopt}));
    EXPECT_EQ(parseContentRange("bytes */1000"), (ContentRange{0, 0, 1000}));
    for (const char* value : {"", "bytes", "bytes 0-99", "bytes 9-5/10", "bytes 0-10/10", "bytes */*", "items 0-1/2",
                              "bytes -1-2/3", "bytes 0-18446744073709551615/*", "bytes 0-1/x", "bytes 0x1-2/3", "bytes +0-1/2"})
        EXPECT_FALSE(parseContentRange(value)) << value;
}

TEST(Headers, ContentLengthsMustAgree) {
    EXPECT_EQ(contentLength({{"Content-Length", "5"}}), 5u);
    EXPECT_EQ(contentLength({{"Content-Length", "5"}, {"content-length", "5"}}), 5u);
    EXPECT_FALSE(contentLength({{"Content-Length", "5"}, {"content-length", "6"}}));
    EXPECT_FALSE(contentLength({{"Content-Length", "-5"}}));
    EXPECT_FALSE(contentLength({}));
}

TEST(Headers, LinksByTheirRelation) {
    const Headers headers{{"Link", "<https://h/a?x=1,2>; rel=\"prev\", <https://h/b>; title=\"n, x\"; rel=\"next last\""},
                          {"Link", "</c>; rel=xet-auth"}};
    EXPECT_EQ(linkWithRelation(headers, "next"), "https://h/b");
    EXPECT_EQ(linkWithRelation(headers, "prev"), "https://h/a?x=1,2");
    EXPECT_EQ(linkWithRelation(headers, "xet-auth"), "/c");
    EXPECT_FALSE(linkWithRelation(headers, "first"));
    for (const char* broken : {"", "<", "<a", "<a>", ">a<; rel=next", "<a>; rel", "<a>; rel="})
        EXPECT_FALSE(linkWithRelation({{"Link", broken}}, "next")) << broken;
}

TEST(Headers, EntityTagsLoseTheirDress) {
    EXPECT_EQ(entityTag("\"abc\""), "abc");
    EXPECT_EQ(entityTag("W/\"abc\""), "abc");
    EXPECT_EQ(entityTag("abc"), "abc");
    EXPECT_EQ(entityTag("\""), "\"");
}

TEST(Headers, WaitsAsLongAsTheServerSays) {
    EXPECT_EQ(secondsToWait({{"RateLimit", "\"api\";r=0;t=2"}}, 0), 3);
    EXPECT_EQ(secondsToWait({{"RateLimit", "\"api\";r=0;t=2, \"pages\";r=0;t=9"}}, 0), 10);
    EXPECT_FALSE(secondsToWait({{"RateLimit", "\"api\";r=1;t=2"}}, 0));
    EXPECT_EQ(secondsToWait({{"RateLimit", "\"api\";r=1;t=2"}, {"Retry-After", "7"}}, 0), 7);
    EXPECT_EQ(secondsToWait({{"Retry-After", "99999999"}}, 0), 3600);
    EXPECT_EQ(secondsToWait({{"Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}}, 784111770), 7);
    EXPECT_EQ(secondsToWait({{"Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"}}, 784111999), 0);
    EXPECT_FALSE(secondsToWait({{"Retry-After", "soon"}}, 0));
}

TEST(Headers, Dates) {
    EXPECT_EQ(parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777);
    for (const char* text : {"Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "06 Nov 1994", ""})
        EXPECT_FALSE(parseHttpDate(text)) << text;
}

TEST(Headers, SecretsAreNotShown) {
    const std::string text =
        redacted("GET https://c/x?Expires=1&Signature=ABC&Key-Pair-Id=K&auth_key=17-0 Authorization: Bearer hf_abcdef");
    for (const char* secret : {"ABC", "=K", "17-0", "abcdef"}) EXPECT_EQ(text.find(secret), std::string::npos) << text;
    EXPECT_NE(text.find("Expires=1"), std::string::npos);
    EXPECT_EQ(redacted("nothing here"), "nothing here");
}

} // namespace
} // namespace wb::net
