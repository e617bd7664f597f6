// SPDX-License-Identifier: MIT
#include "core/text/formula.h"

#include "core/text/markdown.h"

#include <gtest/gtest.h>

namespace wb::text {
namespace {

TEST(Formula, IsText) {
    const std::pair<const char*, const char*> cases[] = {
        {R"(\frac{a+b}{2} \le x_1^2)", "(a+b)/2 ≤ x₁²"},
        {R"(x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a})", "x = (-b ± √(b² - 4ac))/2a"},
        {R"(\sqrt[3]{27} = 3, \sqrt 2)", "³√27 = 3, √2"},
        {R"(\sum_{i=1}^{n} i = \frac{n(n+1)}{2})", "∑ᵢ₌₁ⁿ i = n(n+1)/2"},
        {R"(e^{-x^2} \to 0, A^{T}, 90^\circ)", "e^(-x²) → 0, Aᵀ, 90°"},
        {R"(W_{q}, W_{\text{out}}, \mathbb{R}^d, \hat{y})", "W_q, W_(out), ℝᵈ, y\u0302"},
        {R"(\left( \alpha \cdot \beta \right)\, \{1\} \unknown{z})", "( α · β ) {1} \\unknownz"},
        {R"(\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix})", "1 2; 3 4"},
        {"", ""},
        {"\\", "\\"},
        {"{{{", ""},
        {"x^", "x"},
    };
    for (const auto& [tex, shown] : cases) EXPECT_EQ(formulaText(tex), shown) << tex;
}

TEST(Formula, NestsAsDeepAsAnyoneWrites) {
    std::string tex;
    for (int i = 0; i < 20'000; ++i) tex += "\\frac{";
    EXPECT_FALSE(formulaText(tex).empty());
}

TEST(Formula, IsFoundInMarkdown) {
    EXPECT_EQ(showFormulas(R"(So \(x^2\) and \[ \frac12 \] and $$y$$ and $z_1$.)"), "So x² and 1/2 and y and z₁.");
    EXPECT_EQ(showFormulas("It costs $5 and $10, or $ 3 $."), "It costs $5 and $10, or $ 3 $.");
    EXPECT_EQ(showFormulas("`$x^2$` and\n```\n$y^2$ \\(z\\)\n```\n$a^2$"), "`$x^2$` and\n```\n$y^2$ \\(z\\)\n```\na²");
    EXPECT_EQ(showFormulas("an open \\( stays\n\n\\) so"), "an open \\( stays\n\n\\) so");
    EXPECT_EQ(showFormulas("\\$a$ 中文"), "\\$a$ 中文");
    const auto blocks = parseMarkdown(showFormulas(R"($a*b*c$ and $x < y$)"));
    ASSERT_EQ(blocks.size(), 1u);
    ASSERT_EQ(blocks[0].runs.size(), 1u) << "the signs of a formula are not those of Markdown";
    EXPECT_EQ(blocks[0].runs[0].text, "a*b*c and x < y");
}

} // namespace
} // namespace wb::text
