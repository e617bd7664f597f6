// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

// Commands of TeX and the characters that show them (formula.cpp).
namespace wb::text::formula {

struct Word {
    std::string_view name, text;
};

// Commands without arguments.
inline constexpr Word symbols[] = {{"alpha", "α"},       {"beta", "β"},
                                   {"gamma", "γ"},       {"delta", "δ"},
                                   {"epsilon", "ε"},     {"varepsilon", "ε"},
                                   {"zeta", "ζ"},        {"eta", "η"},
                                   {"theta", "θ"},       {"vartheta", "ϑ"},
                                   {"iota", "ι"},        {"kappa", "κ"},
                                   {"lambda", "λ"},      {"mu", "μ"},
                                   {"nu", "ν"},          {"xi", "ξ"},
                                   {"pi", "π"},          {"rho", "ρ"},
                                   {"sigma", "σ"},       {"tau", "τ"},
                                   {"upsilon", "υ"},     {"phi", "φ"},
                                   {"varphi", "φ"},      {"chi", "χ"},
                                   {"psi", "ψ"},         {"omega", "ω"},
                                   {"Gamma", "Γ"},       {"Delta", "Δ"},
                                   {"Theta", "Θ"},       {"Lambda", "Λ"},
                                   {"Xi", "Ξ"},          {"Pi", "Π"},
                                   {"Sigma", "Σ"},       {"Phi", "Φ"},
                                   {"Psi", "Ψ"},         {"Omega", "Ω"},
                                   {"times", "×"},       {"cdot", "·"},
                                   {"div", "÷"},         {"pm", "±"},
                                   {"mp", "∓"},          {"le", "≤"},
                                   {"leq", "≤"},         {"ge", "≥"},
                                   {"geq", "≥"},         {"ne", "≠"},
                                   {"neq", "≠"},         {"ll", "≪"},
                                   {"gg", "≫"},          {"approx", "≈"},
                                   {"equiv", "≡"},       {"sim", "∼"},
                                   {"cong", "≅"},        {"propto", "∝"},
                                   {"infty", "∞"},       {"partial", "∂"},
                                   {"nabla", "∇"},       {"sum", "∑"},
                                   {"prod", "∏"},        {"int", "∫"},
                                   {"iint", "∬"},        {"oint", "∮"},
                                   {"to", "→"},          {"rightarrow", "→"},
                                   {"leftarrow", "←"},   {"leftrightarrow", "↔"},
                                   {"Rightarrow", "⇒"},  {"implies", "⇒"},
                                   {"Leftarrow", "⇐"},   {"Leftrightarrow", "⇔"},
                                   {"iff", "⇔"},         {"mapsto", "↦"},
                                   {"in", "∈"},          {"notin", "∉"},
                                   {"subset", "⊂"},      {"subseteq", "⊆"},
                                   {"supset", "⊃"},      {"supseteq", "⊇"},
                                   {"cup", "∪"},         {"cap", "∩"},
                                   {"emptyset", "∅"},    {"varnothing", "∅"},
                                   {"forall", "∀"},      {"exists", "∃"},
                                   {"neg", "¬"},         {"lnot", "¬"},
                                   {"land", "∧"},        {"wedge", "∧"},
                                   {"lor", "∨"},         {"vee", "∨"},
                                   {"oplus", "⊕"},       {"otimes", "⊗"},
                                   {"circ", "∘"},        {"ast", "∗"},
                                   {"star", "⋆"},        {"bullet", "•"},
                                   {"perp", "⊥"},        {"parallel", "∥"},
                                   {"angle", "∠"},       {"degree", "°"},
                                   {"ldots", "…"},       {"cdots", "⋯"},
                                   {"dots", "…"},        {"vdots", "⋮"},
                                   {"ell", "ℓ"},         {"hbar", "ℏ"},
                                   {"Re", "ℜ"},          {"Im", "ℑ"},
                                   {"aleph", "ℵ"},       {"langle", "⟨"},
                                   {"rangle", "⟩"},      {"lfloor", "⌊"},
                                   {"rfloor", "⌋"},      {"lceil", "⌈"},
                                   {"rceil", "⌉"},       {"mid", "|"},
                                   {"vert", "|"},        {"Vert", "‖"},
                                   {"prime", "′"},       {"therefore", "∴"},
                                   {"quad", "  "},       {"qquad", "    "},
                                   {"setminus", "∖"},    {"square", "□"},
                                   {"blacksquare", "■"}, {"checkmark", "✓"},
                                   {"sin", "sin"},       {"cos", "cos"},
                                   {"tan", "tan"},       {"cot", "cot"},
                                   {"arcsin", "arcsin"}, {"arccos", "arccos"},
                                   {"arctan", "arctan"}, {"sinh", "sinh"},
                                   {"cosh", "cosh"},     {"tanh", "tanh"},
                                   {"log", "log"},       {"ln", "ln"},
                                   {"exp", "exp"},       {"lim", "lim"},
                                   {"max", "max"},       {"min", "min"},
                                   {"sup", "sup"},       {"inf", "inf"},
                                   {"det", "det"},       {"dim", "dim"},
                                   {"ker", "ker"},       {"gcd", "gcd"},
                                   {"deg", "deg"},       {"arg", "arg"},
                                   {"bmod", "mod"},      {"displaystyle", ""},
                                   {"textstyle", ""},    {"limits", ""},
                                   {"nolimits", ""},     {"left", ""},
                                   {"right", ""},        {"big", ""},
                                   {"Big", ""},          {"bigl", ""},
                                   {"bigr", ""},         {"Bigl", ""},
                                   {"Bigr", ""},         {"lbrace", "{"},
                                   {"rbrace", "}"},      {"lbrack", "["},
                                   {"rbrack", "]"}};

// Commands that show their argument as it is.
inline constexpr std::string_view plainCommands[] = {"text",         "textbf", "textit",     "textrm", "mathrm",
                                                     "mathbf",       "mathit", "mathsf",     "mathtt", "mathcal",
                                                     "operatorname", "boxed",  "boldsymbol", "bm",     "mbox"};

// Accents: a combining character after the argument.
inline constexpr Word accents[] = {{"hat", "\u0302"},       {"widehat", "\u0302"},  {"bar", "\u0304"}, {"overline", "\u0305"},
                                   {"underline", "\u0332"}, {"vec", "\u20D7"},      {"dot", "\u0307"}, {"ddot", "\u0308"},
                                   {"tilde", "\u0303"},     {"widetilde", "\u0303"}};

inline constexpr Word doubleStruck[] = {{"R", "ℝ"}, {"N", "ℕ"}, {"Z", "ℤ"}, {"Q", "ℚ"},
                                        {"C", "ℂ"}, {"P", "ℙ"}, {"E", "𝔼"}, {"1", "𝟙"}};

inline constexpr Word superscripts[] = {{"0", "⁰"}, {"1", "¹"}, {"2", "²"}, {"3", "³"}, {"4", "⁴"}, {"5", "⁵"}, {"6", "⁶"},
                                        {"7", "⁷"}, {"8", "⁸"}, {"9", "⁹"}, {"+", "⁺"}, {"-", "⁻"}, {"=", "⁼"}, {"(", "⁽"},
                                        {")", "⁾"}, {"n", "ⁿ"}, {"i", "ⁱ"}, {"a", "ᵃ"}, {"b", "ᵇ"}, {"c", "ᶜ"}, {"d", "ᵈ"},
                                        {"e", "ᵉ"}, {"k", "ᵏ"}, {"m", "ᵐ"}, {"p", "ᵖ"}, {"t", "ᵗ"}, {"x", "ˣ"}, {"y", "ʸ"},
                                        {"T", "ᵀ"}, {"∘", "°"}, {"′", "′"}};

inline constexpr Word subscripts[] = {{"0", "₀"}, {"1", "₁"}, {"2", "₂"}, {"3", "₃"}, {"4", "₄"}, {"5", "₅"}, {"6", "₆"},
                                      {"7", "₇"}, {"8", "₈"}, {"9", "₉"}, {"+", "₊"}, {"-", "₋"}, {"=", "₌"}, {"(", "₍"},
                                      {")", "₎"}, {"a", "ₐ"}, {"e", "ₑ"}, {"i", "ᵢ"}, {"j", "ⱼ"}, {"k", "ₖ"}, {"l", "ₗ"},
                                      {"m", "ₘ"}, {"n", "ₙ"}, {"p", "ₚ"}, {"r", "ᵣ"}, {"s", "ₛ"}, {"t", "ₜ"}, {"x", "ₓ"}};

} // namespace wb::text::formula
