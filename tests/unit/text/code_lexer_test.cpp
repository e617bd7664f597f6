// SPDX-License-Identifier: MIT
#include "core/text/code_lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace wb::text {
namespace {

// The lines with their spans between marks: c for a comment, s for a string, n for a number, k for a keyword.
std::string marked(const char* language, std::initializer_list<std::string_view> lines) {
    CodeLexer lexer(findCodeLanguage(language));
    std::string all;
    for (const std::string_view line : lines) {
        std::size_t at = 0;
        for (const CodeSpan& span : lexer.line(line)) {
            all += line.substr(at, span.begin - at);
            all += std::string("<") + "csnk"[static_cast<int>(span.kind)] + ':';
            all += line.substr(span.begin, span.end - span.begin);
            all += '>';
            at = span.end;
        }
        all += line.substr(at);
        all += '\n';
    }
    return all;
}

TEST(CodeLexer, FindsTheParts) {
    EXPECT_EQ(marked("Python", {"def f(x): # 注释", "  return \"a\\\"b\" + '#' * 0x1F"}),
              "<k:def> f(x): <c:# 注释>\n  <k:return> <s:\"a\\\"b\"> + <s:'#'> * <n:0x1F>\n");
    EXPECT_EQ(marked("c++", {"#include <a>", "auto x = 2.5e-3; // x", "int y2 = x / 3;"}),
              "<k:#include> <a>\n<k:auto> x = <n:2.5e-3>; <c:// x>\n<k:int> y2 = x / <n:3>;\n");
    EXPECT_EQ(marked("sql", {"SELECT a FROM 表 -- all"}), "<k:SELECT> a <k:FROM> 表 <c:-- all>\n");
    EXPECT_EQ(marked("bash", {"echo $# a#b # c"}), "<k:echo> $# a#b <c:# c>\n");
    EXPECT_EQ(marked("rust", {"fn f<'a>(c: &'a str) { 'x' }"}), "<k:fn> f<'a>(c: &'a <k:str>) { <s:'x'> }\n");
    EXPECT_EQ(marked("json", {"{\"a\": [1, true]}"}), "{<s:\"a\">: [<n:1>, <k:true>]}\n");
}

TEST(CodeLexer, CommentsAndStringsGoOverLines) {
    EXPECT_EQ(marked("c", {"a /* b", "int", "c */ int"}), "a <c:/* b>\n<c:int>\n<c:c */> <k:int>\n");
    EXPECT_EQ(marked("py", {"'''a", "", "if'''+if"}), "<s:'''a>\n\n<s:if'''>+<k:if>\n");
    EXPECT_EQ(marked("js", {"`a", "b` let"}), "<s:`a>\n<s:b`> <k:let>\n");
    EXPECT_EQ(marked("c", {"\"not ended", "int"}), "<s:\"not ended>\n<k:int>\n");
}

TEST(CodeLexer, KnowsTenLanguagesAndLeavesOthersPlain) {
    for (const char* word : {"python", "c", "cpp", "java", "javascript", "typescript", "go", "rust", "sh", "sql", "json", "yaml"})
        EXPECT_NE(findCodeLanguage(word), nullptr) << word;
    for (const char* word : {"", " ", "brainfuck", "python py"}) EXPECT_EQ(findCodeLanguage(word), nullptr) << word;
    EXPECT_EQ(marked("", {"int x = 1; // y"}), "int x = 1; // y\n");
}

// For any text, spans ascend, are within the line and do not cut a character.
TEST(CodeLexer, StaysWithinTheLine) {
    const std::string pieces[] = {"\"", "'", "\\", "/*", "*/", "//", "#", "`", "'''", "é", "表", "1.", "e-", "if ", "\xFF", " "};
    std::uint32_t state = 1;
    for (const char* language : {"python", "cpp", "js", "rust", "sh", "sql"}) {
        CodeLexer lexer(findCodeLanguage(language));
        for (int i = 0; i < 2000; ++i) {
            std::string line;
            for (int k = 0; k < 8; ++k) line += pieces[(state = state * 1664525 + 1013904223) >> 28];
            std::size_t at = 0;
            for (const CodeSpan& span : lexer.line(line)) {
                ASSERT_TRUE(at <= span.begin && span.begin < span.end && span.end <= line.size()) << line;
                at = span.end;
                for (const std::size_t edge : {span.begin, span.end})
                    ASSERT_TRUE(edge == line.size() || (static_cast<unsigned char>(line[edge]) & 0xC0) != 0x80) << line;
            }
        }
    }
}

} // namespace
} // namespace wb::text
