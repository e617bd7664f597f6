// SPDX-License-Identifier: MIT
#include "core/text/markdown.h"
#include "core/text/reasoning.h"

#include <gtest/gtest.h>

namespace wb::text {
namespace {

std::string runsText(const std::vector<Inline>& runs) {
    std::string text;
    for (const Inline& run : runs) text += run.text;
    return text;
}

TEST(Markdown, ReadsBlocksAndTheirNesting) {
    const auto blocks = parseMarkdown("# Head\n\ntext\nwraps\n\n- one\n  1. inner\n- [x] done\n\n> quote\n\n---\n");
    ASSERT_EQ(blocks.size(), 7u);
    EXPECT_EQ(blocks[0].kind, BlockKind::Heading);
    EXPECT_EQ(blocks[0].level, 1);
    EXPECT_EQ(runsText(blocks[1].runs), "text wraps");
    EXPECT_EQ(blocks[2].marker, "\u2022");
    EXPECT_EQ(blocks[2].indent, 1);
    EXPECT_EQ(blocks[3].marker, "1.");
    EXPECT_EQ(blocks[3].indent, 2);
    EXPECT_EQ(blocks[4].marker, "\u2611");
    EXPECT_EQ(blocks[5].quotes, 1);
    EXPECT_EQ(blocks[6].kind, BlockKind::Rule);
}

TEST(Markdown, ReadsSpansAndEntities) {
    const auto blocks = parseMarkdown("a **b *c*** `d` ~~e~~ &lt;&#x4e2d;&#0; [f](https://x.org/?a=1&amp;b=2) ![g](h.png)");
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(runsText(blocks[0].runs), "a b c d e <中\uFFFD f g");
    bool hasBoldItalic = false, hasLink = false, hasCode = false, hasStruck = false;
    for (const Inline& run : blocks[0].runs) {
        hasBoldItalic |= run.isBold && run.isItalic && run.text == "c";
        hasLink |= run.link == "https://x.org/?a=1&b=2" && run.text == "f";
        hasCode |= run.isCode && run.text == "d";
        hasStruck |= run.isStruck && run.text == "e";
    }
    EXPECT_TRUE(hasBoldItalic && hasLink && hasCode && hasStruck);
}

TEST(Markdown, KeepsCodeAsItIs) {
    const auto blocks = parseMarkdown("```python title\n<b>&amp;\n\n  x = 1\n");
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(blocks[0].kind, BlockKind::Code);
    EXPECT_EQ(blocks[0].language, "python");
    EXPECT_EQ(runsText(blocks[0].runs), "<b>&amp;\n\n  x = 1");
}

TEST(Markdown, ReadsTablesOfEqualRows) {
    const auto blocks = parseMarkdown("| a | b |\n|:-:|--:|\n| 1 |\n| 2 | 3 | 4 |\n");
    ASSERT_EQ(blocks.size(), 1u);
    ASSERT_EQ(blocks[0].kind, BlockKind::Table);
    ASSERT_EQ(blocks[0].table.size(), 3u);
    for (const auto& row : blocks[0].table) EXPECT_EQ(row.size(), 2u);
    EXPECT_EQ(blocks[0].table[0][0].alignment, Alignment::Centre);
    EXPECT_EQ(blocks[0].table[2][1].alignment, Alignment::Right);
    EXPECT_EQ(runsText(blocks[0].table[2][1].runs), "3");
}

TEST(Markdown, ShowsHtmlAsText) {
    const auto blocks = parseMarkdown("<script>alert(1)</script>\n\n<img src=x onerror=y>");
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(runsText(blocks[0].runs), "<script>alert(1)</script>");
    EXPECT_EQ(runsText(blocks[1].runs), "<img src=x onerror=y>");
}

// What the parser closes without having opened it, as fuzzing found.
TEST(Markdown, BearsSpansThatAreNotBalanced) {
    using namespace std::string_literals;
    const std::string text = "<\1\0\0\0"s
                             "2d* `c` ~<\1\0\0\0d\n\n- [x] *a*~d ~[e~](http://f.g*a* *)e](\fhttp:\0\0\0d\n\n"s
                             "- [x] *a*~d ~~[e](http://f.g9 ! [)e](http://f.g9 ![h]\0i) &\n<p>\n"s;
    EXPECT_FALSE(parseMarkdown(text).empty());
    const auto blocks = parseMarkdown("- **bold** item\n");
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_TRUE(blocks[0].runs[0].isBold);
}

TEST(Markdown, ShowsWhatIsTooMuchAsItStands) {
    const std::string deep(2000, '>');
    const auto blocks = parseMarkdown(deep + " x");
    ASSERT_EQ(blocks.size(), 1u);
    EXPECT_EQ(runsText(blocks[0].runs), deep + " x");
    const std::string huge(greatestMarkdown + 1, 'x');
    EXPECT_EQ(runsText(parseMarkdown(huge).front().runs), huge);
    EXPECT_TRUE(parseMarkdown("").empty());
}

TEST(Reasoning, IsCutFromTheAnswer) {
    const Reasoned whole = splitReasoning("\n<think>\nwhy\n</think>\n\nSo.");
    EXPECT_EQ(whole.reasoning, "why");
    EXPECT_EQ(whole.answer, "So.");
    EXPECT_FALSE(whole.isOpen);
    const Reasoned growing = splitReasoning("<think>because");
    EXPECT_EQ(growing.reasoning, "because");
    EXPECT_TRUE(growing.isOpen);
    EXPECT_EQ(growing.answer, "");
}

TEST(Reasoning, MayHaveBegunInThePrompt) {
    const Reasoned parts = splitReasoning("hm</think>Yes.");
    EXPECT_EQ(parts.reasoning, "hm");
    EXPECT_EQ(parts.answer, "Yes.");
}

TEST(Reasoning, LeavesOtherTextAlone) {
    EXPECT_EQ(splitReasoning(" Plain < text").answer, " Plain < text");
    EXPECT_EQ(splitReasoning("Write <think> and </think>.").answer, "Write <think> and </think>.");
}

TEST(Reasoning, GrowingAnswersAreSplitLikeWholeOnes) {
    for (const std::string whole :
         {"\n<think>\nwhy\n\n</think>\n\nSo. </think>", "<think>because", "hm</think>Yes.", " Plain < text",
          "Write <think> and </think>. <think></think>", "  \n ", "<think></think>x", "<thinking></think>So"}) {
        GrowingReasoning growing;
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            const std::string_view text = std::string_view(whole).substr(0, size);
            const Reasoned expected = splitReasoning(text), parts = growing.split(text);
            EXPECT_EQ(parts.reasoning, expected.reasoning) << text;
            EXPECT_EQ(parts.answer, expected.answer) << text;
            EXPECT_EQ(parts.isOpen, expected.isOpen) << text;
        }
    }
}

// Wherever a text is cut into a settled beginning and the rest, both together have the blocks of the whole.
TEST(Markdown, ASettledBeginningStaysAsItIs) {
    const std::string texts[] = {
        "# Head\n\ntext\n\nmore **bold**\nwraps\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.\n\n中文 one\n\n**bold** end",
        "```cpp\nint a;\n\nint b;\n```\n\nText\n\n~~~\n```\n\nx\n~~~\n\nText\n\n````\n```\n\ny\n````\n\nz",
        "- one\n\n  inner\n\n- two\n\nText\n\n1. a\n\n2. b\n\n   ```\n   code\n\n   more\n   ```\n\nBehind\n\n> quote\n\n> "
        "more\n\nx",
        "- item\n\n      code by indent\n\n    more\n\nTitle\n=====\n\nTitle\n---\n\n***\n\na"};
    for (const std::string& text : texts) {
        const std::vector<Block> whole = parseMarkdown(text);
        std::size_t settled = 0;
        for (std::size_t size = 1; size <= text.size(); ++size) {
            settled = settledMarkdown(std::string_view(text).substr(0, size), settled);
            std::vector<Block> both = parseMarkdown(std::string_view(text).substr(0, settled));
            for (Block& block : parseMarkdown(std::string_view(text).substr(settled))) both.push_back(std::move(block));
            ASSERT_EQ(both, whole) << text.substr(0, settled);
        }
        EXPECT_GT(settled, text.size() / 2) << text;
    }
}

} // namespace
} // namespace wb::text
