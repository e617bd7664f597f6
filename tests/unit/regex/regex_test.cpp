// SPDX-License-Identifier: MIT
#include "core/regex/regex.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wb::regex {
namespace {

Found search(std::string_view pattern, std::string_view text, Options options = {}) {
    const auto regex = Regex::compile(pattern, options);
    EXPECT_TRUE(regex) << pattern << ": " << regex.error();
    return regex ? regex->search(text) : Found::GaveUp;
}

TEST(Regex, SearchesAnywhereInTheText) {
    EXPECT_EQ(search("ffn_(up|down)", "blk.0.ffn_down.weight"), Found::Yes);
    EXPECT_EQ(search("^ffn", "blk.0.ffn_down.weight"), Found::No);
    EXPECT_EQ(search("FFN", "ffn"), Found::No);
    EXPECT_EQ(search("FFN", "ffn", {.caseless = true}), Found::Yes);
}

TEST(Regex, ReadsWhatEcmaScriptReadsTheSameWay) {
    EXPECT_EQ(search("a$", "a\n"), Found::No) << "the end of the text only";
    EXPECT_EQ(search("[]", "a"), Found::No) << "an empty class";
    EXPECT_EQ(search("\\u0041", "A"), Found::Yes);
    EXPECT_EQ(search("(a)?\\1b", "b"), Found::Yes) << "a group that took no part";
    EXPECT_EQ(search("(ab)\\1", "abab"), Found::Yes);
    EXPECT_EQ(search("^blk\\.\\d+\\.(?=aaa)", "blk.1.aaa"), Found::Yes);
}

TEST(Regex, CountsCharactersOrBytes) {
    EXPECT_EQ(search("^.$", "模"), Found::Yes);
    EXPECT_EQ(search("^.$", "模", {.utf = false}), Found::No);
    EXPECT_EQ(search("^...$", "模", {.utf = false}), Found::Yes);
    EXPECT_EQ(search("\\xff\\xfe", "a\xff\xfe", {.utf = false}), Found::Yes);
    EXPECT_EQ(search("a", "\xff\xfe a"), Found::Yes) << "bytes that are not UTF-8 stop no search";
}

TEST(Regex, GivesUpInsteadOfHanging) {
    EXPECT_EQ(search("(a+)+(.*)*[^a]$", std::string(60, 'a')), Found::GaveUp);
    EXPECT_FALSE(Regex::compile("(a+)+[^a]$")->find(fmt::format("{0:a>60}b{0:a>60}", "")).has_value());
}

TEST(Regex, FindsFromAPlaceOn) {
    const auto regex = Regex::compile("a+");
    const auto first = regex->find("baab aaa");
    ASSERT_TRUE(first);
    EXPECT_EQ(first->begin, 1u);
    EXPECT_EQ(first->end, 3u);
    EXPECT_EQ(regex->find("baab aaa", 3)->begin, 5u);
    EXPECT_FALSE(regex->find("b"));
    EXPECT_FALSE(regex->find("b", 2)) << "beyond the end";
}

TEST(Regex, SaysWhyAPatternIsNotValid) {
    EXPECT_NE(Regex::compile("(").error().find("parenthes"), std::string::npos);
    EXPECT_FALSE(Regex::compile(std::string(100'000, '(') + std::string(100'000, ')')));
    EXPECT_FALSE(Regex::compile(std::string(maxPatternBytes + 1, 'a')));
    EXPECT_FALSE(Regex::compile("\\C"));
}

// What a match may begin with is known of some patterns; what is found does not depend on that.
TEST(Find, LooksForTheByteThatAMatchMayBeginWith) {
    for (const char* const pattern : {"[0-9]+x", "(?=[0-9\\x{80}-\\x{10FFFF}])\\p{N}+x", "(?:ab|[0-9]+)x", ".*?[0-9]x"}) {
        const auto regex = Regex::compile(pattern, {.isTrusted = true});
        ASSERT_TRUE(regex) << pattern;
        EXPECT_FALSE(regex->find("no such words at all")) << pattern;
        EXPECT_FALSE(regex->find("")) << pattern;
        EXPECT_FALSE(regex->find("12")) << pattern;
        EXPECT_FALSE(regex->find("1x23", 2)) << pattern;
        const auto found = regex->find("1y, 22x and 3x", 5);
        ASSERT_TRUE(found) << pattern;
        EXPECT_EQ(found->begin, 5u) << pattern;
        EXPECT_EQ(found->end, 7u) << pattern;
    }
    const auto digits = Regex::compile("\\p{N}", {.isTrusted = true});
    EXPECT_EQ(digits->find("a\u0663")->begin, 1u); // an Arabic digit
}

} // namespace
} // namespace wb::regex
