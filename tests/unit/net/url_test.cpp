// SPDX-License-Identifier: MIT
#include "core/net/url.h"

#include <gtest/gtest.h>

namespace wb::net {
namespace {

TEST(Url, TakesAddressesApart) {
    const auto url = parseUrl("HTTPS://HuggingFace.co/api/models?x=1#top");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->text(), "https://huggingface.co/api/models?x=1");
    EXPECT_EQ(url->port, 443);
    EXPECT_EQ(url->path(), "/api/models");
    EXPECT_EQ(parseUrl("http://127.0.0.1:8080")->text(), "http://127.0.0.1:8080/");
    EXPECT_EQ(parseUrl("http://[::1]:81/a")->authority(), "[::1]:81");
    EXPECT_EQ(parseUrl("http://[::1]:81/a")->host, "::1");
}

TEST(Url, RefusesWhatIsNoAddress) {
    for (const char* text :
         {"", "huggingface.co", "ftp://a/", "file:///etc/passwd", "https://", "https:///x", "https://user:pass@host/",
          "https://user@host/", "https://host:0/", "https://host:65536/", "https://host:x/", "https://ho st/", "https://host/a b",
          "https://host/\n", "https://ho\\st/", "http://[::1", "http://[zz]/", "https://h%00/"})
        EXPECT_FALSE(parseUrl(text)) << text;
    EXPECT_FALSE(parseUrl("https://host/" + std::string(maxUrlBytes, 'a')));
}

TEST(Url, ResolvesReferences) {
    const Url base = *parseUrl("https://hub:8443/a/b?c=d");
    EXPECT_EQ(resolveReference(base, "/x?y")->text(), "https://hub:8443/x?y");
    EXPECT_EQ(resolveReference(base, "//cdn/x")->text(), "https://cdn/x");
    EXPECT_EQ(resolveReference(base, "?z=1")->text(), "https://hub:8443/a/b?z=1");
    EXPECT_EQ(resolveReference(base, "http://other/")->text(), "http://other/");
    EXPECT_FALSE(resolveReference(base, "javascript:alert(1)"));
    EXPECT_FALSE(resolveReference(base, "https://u:p@other/"));
}

TEST(Url, HostAndPortAreTheIdentity) {
    const Url url = *parseUrl("http://127.0.0.1:81/");
    EXPECT_TRUE(url.isSameOrigin(*parseUrl("http://127.0.0.1:81/other")));
    EXPECT_FALSE(url.isSameOrigin(*parseUrl("http://127.0.0.1:82/")));
    EXPECT_FALSE(url.isSameOrigin(*parseUrl("https://127.0.0.1:81/")));
}

TEST(Url, KnowsThisMachine) {
    for (const char* host : {"localhost", "127.0.0.1", "127.9.9.9", "::1"}) EXPECT_TRUE(isLoopback(host)) << host;
    for (const char* host : {"localhost.example.com", "127.example.com", "10.0.0.1", ""}) EXPECT_FALSE(isLoopback(host)) << host;
}

TEST(Url, EncodesAndDecodes) {
    EXPECT_EQ(percentEncode("a/b c+é"), "a%2Fb%20c%2B%C3%A9");
    EXPECT_EQ(percentEncode("a/b", true), "a/b");
    EXPECT_EQ(percentDecode("a%2Fb%zz%2"), "a/b%zz%2");
    Query query;
    query.add("search", "a&b");
    query.add("filter", "gguf");
    EXPECT_EQ(query.text(), "?search=a%26b&filter=gguf");
}

} // namespace
} // namespace wb::net
