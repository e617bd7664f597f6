// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

// Formulas as models write them in TeX, shown as text: a view needs no typesetting, and the text can be selected and copied.
namespace wb::text {

// One formula without its delimiters: "\frac{a+b}{2} \le x_1^2" becomes "(a+b)/2 ≤ x₁²". Known are Greek letters, common symbols,
// fractions, roots, accents, sub- and superscripts; an unknown command stays as it is. Valid UTF-8.
std::string formulaText(std::string_view tex);

// Markdown whose formulas are such text: \( … \), \[ … \], $$ … $$, and $ … $ where the signs enclose it without blanks and no
// digit follows, so that prices are left alone. Code is not touched, and a formula has no empty line in it. All else stays as it
// is, byte for byte.
std::string showFormulas(std::string_view markdown);

} // namespace wb::text
