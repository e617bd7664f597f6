// SPDX-License-Identifier: MIT
#include "core/formats/json/scanner.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace wb::json {
namespace {

std::vector<Token> tokens(std::string_view text, unsigned depth = Scanner::usualDepth) {
    Scanner scanner(text, depth);
    std::vector<Token> all;
    do all.push_back(scanner.next());
    while (all.back() != Token::End && all.back() != Token::Bad);
    return all;
}

bool isValid(std::string_view text) { return tokens(text).back() == Token::End; }

std::string stringFromText(std::string_view text) {
    Scanner scanner(text);
    EXPECT_EQ(scanner.next(), Token::String);
    return std::string(scanner.text());
}

TEST(Scanner, WalksEveryKindOfToken) {
    using enum Token;
    EXPECT_EQ(tokens(R"({"a":[1,"x",true,false,null,{}],"b":[]})"),
              (std::vector{BeginObject, Key, BeginArray, Number, String, True, False, Null, BeginObject, EndObject, EndArray, Key,
                           BeginArray, EndArray, EndObject, End}));
    EXPECT_EQ(tokens(" 7 "), (std::vector{Number, End}));
}

TEST(Scanner, Positions) {
    Scanner scanner("{ \"key\" : 12 }");
    scanner.next();
    scanner.next();
    EXPECT_EQ(scanner.position(), 2u);
    EXPECT_EQ(scanner.text(), "key");
    scanner.next();
    EXPECT_EQ(scanner.position(), 10u);
    EXPECT_EQ(scanner.end(), 12u);
}

TEST(Scanner, RefusesWhatIsNotJson) {
    for (const char* text :
         {"",          " ",           "{",      "[",         "]",     "[1,]",     "{\"a\":1,}", "{\"a\"}", "{a:1}",
          "{'a':1}",   "[1 2]",       "[1;2]",  "{\"a\" 1}", "01",    "+1",       "1.",         ".5",      "1e",
          "1e+",       "-",           "tru",    "nul",       "NaN",   "Infinity", "\"",         "\"a",     "\"\\x\"",
          "\"\\u12\"", "\"\\u12G4\"", "\"\t\"", "1 1",       "{} {}", "[}",       "{]",         "// c\n1", "\xEF\xBB\xBF{}",
          "{\"a\":}",  "[,1]",        "{,}",    "\"\\\"",    "\"\\u"})
        EXPECT_FALSE(isValid(text)) << text;
}

TEST(Scanner, ANulByteIsNoEnd) {
    EXPECT_FALSE(isValid(std::string_view("{}\0anything", 11)));
    EXPECT_FALSE(isValid(std::string_view("\"a\0b\"", 5)));
}

TEST(Scanner, BadAndEndRepeat) {
    Scanner scanner("[1,,2]");
    while (scanner.next() != Token::Bad) {
    }
    EXPECT_EQ(scanner.position(), 3u);
    EXPECT_EQ(scanner.next(), Token::Bad);
    EXPECT_EQ(scanner.position(), 3u);
    Scanner whole("1");
    whole.next();
    EXPECT_EQ(whole.next(), Token::End);
    EXPECT_EQ(whole.next(), Token::End);
}

TEST(Scanner, DepthIsCapped) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_TRUE(isValid(nested(64)));
    EXPECT_FALSE(isValid(nested(65)));
    EXPECT_FALSE(isValid(nested(1'000'000)));
    EXPECT_EQ(tokens("[[[]]]", 2).back(), Token::Bad);
    EXPECT_EQ(tokens("[[],[]]", 2).back(), Token::End);
}

TEST(Scanner, DecodesEscapes) {
    EXPECT_EQ(stringFromText(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(stringFromText(R"("a\u0041\u00e9\u20AC\ud83d\ude00z")"), "aAé€😀z");
    EXPECT_EQ(stringFromText(R"("\u0000")"), std::string(1, '\0'));
    EXPECT_EQ(stringFromText("\"é€😀\""), "é€😀");
}

TEST(Scanner, RepairsWhatIsNotUtf8) {
    const std::string replaced = "\xEF\xBF\xBD";
    EXPECT_EQ(stringFromText("\"a\xFFz\""), "a" + replaced + "z");
    EXPECT_EQ(stringFromText(R"("\ud83d")"), replaced); // one half of a character, one sign for it
    EXPECT_EQ(stringFromText(R"("\udc00x\ud83dy\ud83d\ud83d\ude00")"), replaced + "x" + replaced + "y" + replaced + "😀");
    Scanner good("\"é\"");
    good.next();
    EXPECT_FALSE(good.invalidUtf8());
    Scanner bad("[\"a\",\"\xC3\"]");
    while (bad.next() != Token::End) ASSERT_NE(bad.token(), Token::Bad);
    EXPECT_EQ(bad.invalidUtf8(), 6u);
}

TEST(Scanner, UnsignedIntegers) {
    EXPECT_EQ(unsignedInteger("0"), 0u);
    EXPECT_EQ(unsignedInteger("18446744073709551615"), 18446744073709551615u);
    for (const char* text : {"18446744073709551616", "-1", "-0", "1.0", "1e3", "", "+1", "0x1"})
        EXPECT_FALSE(unsignedInteger(text)) << text;
}

// A number beyond the greatest double, which the other parser refuses: an exponent of three digits.
bool hasLongExponent(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != 'e' && text[i] != 'E') continue;
        const std::size_t digits = i + 1 < text.size() && text[i + 1] == '+' ? i + 2 : i + 1;
        const std::size_t end = std::min(text.find_first_not_of("0123456789", digits), text.size());
        if (end - std::min(digits, end) >= 3) return true;
    }
    return false;
}

// nlohmann_json as the judge of the grammar, over texts changed at random. It replaces nothing, so only valid UTF-8 is compared,
// and takes a NUL for the end, so there is none.
TEST(Scanner, AgreesWithAnotherParser) {
    const std::string whole = R"({"a":[1,-2.5e+3,0,true,null,"x\u00e9\n"],"b":{"c":{},"d":[[],false]},"e":1E5})";
    static constexpr std::string_view letters = "0123456789[]{}\",:\\-+.eEu tfn\n/";
    std::mt19937 random(7);
    int valid = 0;
    for (int round = 0; round < 50'000; ++round) {
        std::string text = whole;
        for (auto changes = 1 + random() % 3; changes > 0; --changes) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0) text.erase(at, 1);
            else if (random() % 2 == 0) text.insert(at, 1, letters[random() % letters.size()]);
            else text[at] = letters[random() % letters.size()];
        }
        if (hasLongExponent(text)) continue;
        const bool expected = nlohmann::json::accept(text);
        valid += expected ? 1 : 0;
        EXPECT_EQ(isValid(text), expected) << text;
    }
    EXPECT_GT(valid, 1000);
}

} // namespace
} // namespace wb::json
