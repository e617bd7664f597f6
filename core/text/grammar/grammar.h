// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/text/tokenizer.h"

#include <memory>
#include <string>
#include <vector>

namespace wb::text {

// Limits of a grammar; above them it is rejected with TooLarge.
inline constexpr std::size_t maxGrammarBytes = std::size_t{4} << 20;
inline constexpr unsigned maxGrammarNesting = 200;
inline constexpr std::size_t maxGrammarSymbols = 200'000; // after repetitions are written out

enum class SymbolKind : std::uint8_t { End, Class, Rule, Token, NotToken };

// One step of a rule: a character of a class, another rule, or a token of the vocabulary. End closes an alternative.
struct GrammarSymbol {
    SymbolKind kind = SymbolKind::End;
    std::uint32_t value = 0; // number of the class or rule, or id of the token
};

struct CharacterRange {
    char32_t low, high; // both belong to it

    friend auto operator<=>(const CharacterRange&, const CharacterRange&) = default;
};

struct CharacterClass {
    std::vector<CharacterRange> ranges;
    bool isNegated = false;

    bool holds(char32_t c) const;
    // Whether some character from low to high belongs to it.
    bool meets(char32_t low, char32_t high) const;
};

// A grammar in GBNF (ggml-org/llama.cpp, grammars/README.md): rules `name ::= …`, of which `root` derives the whole text; literals
// and classes over code points with \x, \u and \U escapes, `.`, groups, alternatives, ? * + {m} {m,} {m,n}, comments, and tokens
// <[id]>, <text> and their negations with !. Immutable.
class Grammar {
public:
    // Malformed with the line: no root, an unknown rule, left recursion, an unclosed quote or bracket, nesting above
    // maxGrammarNesting; TooLarge. `name` is the file's, for sentences. Without a tokenizer tokens are refused.
    static Result<Grammar> parse(std::string_view source, const std::string& name, const Tokenizer* tokenizer = nullptr);

    // Symbols of all alternatives, one after the other, each closed by End.
    const std::vector<GrammarSymbol>& symbols() const { return m_symbols; }
    const std::vector<CharacterClass>& classes() const { return m_classes; }
    // Where the alternatives of a rule start among the symbols.
    const std::vector<std::vector<std::uint32_t>>& rules() const { return m_rules; }
    std::uint32_t root() const { return m_root; }

private:
    friend class GrammarParser;

    std::vector<GrammarSymbol> m_symbols;
    std::vector<CharacterClass> m_classes;
    std::vector<std::vector<std::uint32_t>> m_rules;
    std::uint32_t m_root = 0;
};

} // namespace wb::text
