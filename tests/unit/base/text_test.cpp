// SPDX-License-Identifier: MIT
#include "core/base/text.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cstdint>
#include <limits>
#include <locale>
#include <random>

namespace wb {
namespace {

using std::string_view_literals::operator""sv;

struct Bytes {
    std::string_view bytes;
    std::string_view repaired; // equal to bytes where they are well-formed
};

class Utf8 : public testing::TestWithParam<Bytes> {};

TEST_P(Utf8, IsJudgedAndRepairedAsUnicodeRecommends) {
    const auto& [bytes, repaired] = GetParam();
    EXPECT_EQ(isUtf8(bytes), bytes == repaired);
    EXPECT_EQ(toUtf8(bytes), repaired);
    EXPECT_TRUE(isUtf8(toUtf8(bytes)));
}

// Unicode 15, chapter 3.9, tables 3-7 and 3-8 to 3-11.
INSTANTIATE_TEST_SUITE_P(Sequences, Utf8,
                         testing::Values(Bytes{"", ""}, Bytes{"plain", "plain"}, Bytes{"a\0b"sv, "a\0b"sv}, Bytes{"模型", "模型"},
                                         Bytes{"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
                                         Bytes{"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"}, Bytes{"\xED\x9F\xBF", "\xED\x9F\xBF"},
                                         Bytes{"\xEE\x80\x80", "\xEE\x80\x80"}, Bytes{"\xC2\x80", "\xC2\x80"},
                                         Bytes{"\xC0\x80", "\uFFFD\uFFFD"},                          // overlong NUL
                                         Bytes{"\xC1\xBF", "\uFFFD\uFFFD"},                          // overlong U+007F
                                         Bytes{"\xE0\x9F\xBF", "\uFFFD\uFFFD\uFFFD"},                // overlong U+07FF
                                         Bytes{"\xF0\x8F\xBF\xBF", "\uFFFD\uFFFD\uFFFD\uFFFD"},      // overlong U+FFFF
                                         Bytes{"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},                // surrogate
                                         Bytes{"\xED\xBF\xBF", "\uFFFD\uFFFD\uFFFD"},                // surrogate
                                         Bytes{"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},      // above U+10FFFF
                                         Bytes{"\xF5\x80", "\uFFFD\uFFFD"}, Bytes{"\xFF", "\uFFFD"}, // never a lead byte
                                         Bytes{"\x80", "\uFFFD"}, Bytes{"a\xBF"sv, "a\uFFFD"},       // continuation alone
                                         Bytes{"\xE6\xA8", "\uFFFD"},
                                         Bytes{"\xF0\x9F\x98", "\uFFFD"}, // truncated: one mark for the whole part
                                         Bytes{"\xE6\xA8z", "\uFFFDz"}, Bytes{"\xC3", "\uFFFD"}));

TEST(Utf8Prefix, EndsBetweenCharacters) {
    EXPECT_EQ(utf8Prefix("abc", 3), "abc");
    EXPECT_EQ(utf8Prefix("abc", 2), "ab");
    EXPECT_EQ(utf8Prefix("a模b", 2), "a");
    EXPECT_EQ(utf8Prefix("a模b", 3), "a");
    EXPECT_EQ(utf8Prefix("a模b", 4), "a模");
    EXPECT_EQ(utf8Prefix("模", 0), "");
}

TEST(EscapeControls, LeavesNothingThatATerminalObeys) {
    EXPECT_EQ(escapeControls("plain 模型 😀"), "plain 模型 😀");
    EXPECT_EQ(escapeControls("a\nb\tc\rd"), "a\\nb\\tc\\rd");
    EXPECT_EQ(escapeControls("\x1b[31m\x7f"), "\\u001b[31m\\u007f");
    EXPECT_EQ(escapeControls("a\0b"sv), "a\\u0000b");
    EXPECT_EQ(escapeControls("\u009b31m"), "\\u009b31m");
    EXPECT_EQ(escapeControls("a\u202egpj.exe\u2028\u2066"), "a\\u202egpj.exe\\u2028\\u2066");
    EXPECT_EQ(escapeControls("\u00a0\u2027\u202f\u2065\u206a"), "\u00a0\u2027\u202f\u2065\u206a");
    EXPECT_EQ(escapeControls("\xFFz"), "\xFFz");
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const auto value = std::bit_cast<double>(random());
        if (!(value - value == 0)) continue;
        const auto back = parseDouble(shortest(value));
        ASSERT_TRUE(back) << shortest(value);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value)) << shortest(value);
        const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (!(narrow - narrow == 0)) continue;
        ASSERT_EQ(static_cast<float>(*parseDouble(shortest(narrow))), narrow) << shortest(narrow);
    }
}

TEST(Shortest, IsShort) {
    EXPECT_EQ(shortest(0.1), "0.1");
    EXPECT_EQ(shortest(0.1f), "0.1");
    EXPECT_EQ(shortest(1e300), "1e+300");
    EXPECT_EQ(shortest(-0.0), "-0");
    EXPECT_EQ(shortest(4.9e-324), "5e-324");
    EXPECT_EQ(shortest(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(shortest(-std::numeric_limits<float>::infinity()), "-inf");
}

TEST(ParseDouble, TakesDecimalNumbersThatFillTheText) {
    EXPECT_EQ(parseDouble("12"), 12.0);
    EXPECT_EQ(parseDouble("-1.5e3"), -1500.0);
    EXPECT_EQ(parseDouble("+.5"), 0.5);
    EXPECT_EQ(parseDouble("5."), 5.0);
    EXPECT_EQ(parseDouble("4.9406564584124654e-324"), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(parseDouble("179769313486231570e291"), std::numeric_limits<double>::max());
    for (const char* text :
         {"", " ", " 1", "\t1", "1 ", "1,5", "1.5.2", "0x10", "1e", "e5", "--1", "inf", "nan", "1e999", "-", ".", "1k"})
        EXPECT_EQ(parseDouble(text), std::nullopt) << '"' << text << '"';
    EXPECT_EQ(parseDouble("1\0"sv), std::nullopt);
}

// A user's locale must change neither what is read nor what is written. The comma comes from a locale made here, because a bare
// machine has none installed.
TEST(ParseDouble, DoesNotKnowTheLocale) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const auto read = parseDouble("1234.5");
    const std::string written = shortest(1234.5);
    std::locale::global(before);
    EXPECT_EQ(read, 1234.5);
    EXPECT_EQ(written, "1234.5");
}

TEST(HumanBytes, ShowsThreeDigits) {
    EXPECT_EQ(humanBytes(0), "0 B");
    EXPECT_EQ(humanBytes(812), "812 B");
    EXPECT_EQ(humanBytes(1023), "1023 B");
    EXPECT_EQ(humanBytes(1024), "1.00 KiB");
    EXPECT_EQ(humanBytes(1536), "1.50 KiB");
    EXPECT_EQ(humanBytes(10 * 1024), "10.0 KiB");
    EXPECT_EQ(humanBytes(999 * 1024), "999 KiB");
    EXPECT_EQ(humanBytes(1024 * 1024 - 1), "1.00 MiB");
    EXPECT_EQ(humanBytes(1610612736), "1.50 GiB");
    EXPECT_EQ(humanBytes(std::numeric_limits<unsigned long long>::max()), "16384 PiB");
}

TEST(HumanCount, ShowsThreeDigits) {
    EXPECT_EQ(humanCount(999), "999");
    EXPECT_EQ(humanCount(1000), "1.00 K");
    EXPECT_EQ(humanCount(292'800), "293 K");
    EXPECT_EQ(humanCount(999'999), "1.00 M");
    EXPECT_EQ(humanCount(8'030'261'248), "8.03 B");
}

TEST(ShellWord, IsWhatItWasInSingleQuotes) {
    EXPECT_EQ(shellWord(""), "''");
    EXPECT_EQ(shellWord("a b$(c)`d`\n\\"), "'a b$(c)`d`\n\\'");
    EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
}

} // namespace
} // namespace wb
